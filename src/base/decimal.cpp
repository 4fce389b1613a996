#include "base/decimal.hpp"

#include <array>

namespace barsweep {
namespace {

constexpr int max_digits = 18;  ///< 10^18 - 1 fits int64

constexpr auto powers_of_ten = [] {
    std::array<std::int64_t, max_digits + 1> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
}();

constexpr std::int64_t power_of_ten(int exponent)
{
    return powers_of_ten[static_cast<std::size_t>(exponent)];
}

/// `digits` * 10^`shift` + `last` while that has at most 18 digits.
bool append(std::int64_t& digits, int shift, std::int64_t last)
{
    if (digits == 0) {
        digits = last;
        return true;
    }
    if (shift > max_digits || digits >= power_of_ten(max_digits - shift)) return false;
    digits = digits * power_of_ten(shift) + last;
    return true;
}

/// "e-05" and the like; `at` stands behind the letter. Values beyond 999 mean the same as 999: out
/// of range for any digits but zero.
std::optional<int> parse_exponent(const char* at, const char* end)
{
    const bool negative = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    if (at == end) return {};
    int exponent = 0;
    for (; at != end; ++at) {
        if (*at < '0' || *at > '9') return {};
        if (exponent < 1000) exponent = exponent * 10 + (*at - '0');
    }
    return negative ? -exponent : exponent;
}

std::optional<Decimal> normalised(bool negative, std::int64_t digits, int places)
{
    if (digits == 0) return Decimal{};
    while (places > 0 && digits % 10 == 0) {
        digits /= 10;
        --places;
    }
    if (places > max_digits) return {};
    if (places < 0) {
        if (!append(digits, -places, 0)) return {};
        places = 0;
    }
    return Decimal{negative ? -digits : digits, places};
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text)
{
    const char* at = text.data();
    const char* const end = at + text.size();
    const bool negative = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;

    std::int64_t digits = 0;
    const char* const integer = at;
    for (; at != end && *at >= '0' && *at <= '9'; ++at)
        if (!append(digits, 1, *at - '0')) return {};
    bool any = at != integer;

    int places = 0;
    if (at != end && *at == '.') {
        const char* const fraction = ++at;
        int shift = 0;  // zeros are held back until a digit follows, so trailing ones never count
        for (; at != end && *at >= '0' && *at <= '9'; ++at) {
            ++shift;
            if (*at == '0') continue;
            if (!append(digits, shift, *at - '0')) return {};
            places += shift;
            shift = 0;
        }
        any = any || at != fraction;
    }
    if (!any) return {};
    if (at == end) {
        if (places > max_digits) return {};
        return Decimal{negative ? -digits : digits, places};
    }
    if (*at != 'e' && *at != 'E') return {};
    const auto exponent = parse_exponent(at + 1, end);
    if (!exponent) return {};
    return normalised(negative, digits, places - *exponent);
}

std::optional<std::int64_t> to_units(Decimal value, int places)
{
    if (places < 0 || places > max_digits) return {};
    if (value.places > places) {
        const auto divisor = power_of_ten(value.places - places);
        if (value.digits % divisor != 0) return {};
        return value.digits / divisor;
    }
    std::int64_t units = 0;
    if (__builtin_mul_overflow(value.digits, power_of_ten(places - value.places), &units))
        return {};
    return units;
}

std::optional<std::int64_t> round_to_units(Decimal value, int places)
{
    if (places < 0 || places > max_digits) return {};
    if (value.places <= places) return to_units(value, places);
    const auto divisor = power_of_ten(value.places - places);
    const auto quotient = value.digits / divisor;  // towards zero; the remainder has value's sign
    const auto remainder = value.digits % divisor;
    const auto twice = (remainder < 0 ? -remainder : remainder) * 2;
    const bool away = twice > divisor || (twice == divisor && quotient % 2 != 0);
    if (!away) return quotient;
    return value.digits < 0 ? quotient - 1 : quotient + 1;
}

std::strong_ordering compare(Decimal a, Decimal b)
{
    if (a.places == b.places) return a.digits <=> b.digits;
    __extension__ using Wide = __int128;  // 10^18 * 10^18
    const auto wide = [](Decimal value, int places) {
        return Wide{value.digits} * power_of_ten(places > value.places ? places - value.places : 0);
    };
    const Wide left = wide(a, b.places), right = wide(b, a.places);
    return left < right   ? std::strong_ordering::less
           : left > right ? std::strong_ordering::greater
                          : std::strong_ordering::equal;
}

void append_text(std::string& text, std::int64_t units, int places)
{
    auto magnitude =
        units < 0 ? 0 - static_cast<std::uint64_t>(units) : static_cast<std::uint64_t>(units);
    for (; places > 0 && magnitude % 10 == 0; --places) magnitude /= 10;

    std::array<char, 48> buffer;  // written from the back: 20 digits, 18 zeros, point and sign fit
    char* at = buffer.data() + buffer.size();
    const auto put_digit = [&] {
        *--at = static_cast<char>('0' + magnitude % 10);
        magnitude /= 10;
    };
    for (int i = 0; i < places; ++i) put_digit();
    if (places > 0) *--at = '.';
    do put_digit();
    while (magnitude != 0);
    if (units < 0) *--at = '-';
    text.append(at, buffer.data() + buffer.size());
}

std::string to_text(std::int64_t units, int places)
{
    std::string text;
    append_text(text, units, places);
    return text;
}

}  // namespace barsweep
