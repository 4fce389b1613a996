#include "base/time.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/decimal.hpp"

namespace barsweep {
namespace {

constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds minute = 60 * second;
constexpr Nanoseconds hour = 60 * minute;
constexpr Nanoseconds day = 24 * hour;

/// Text read from the left, a piece at a time; each `take` says whether the piece was there.
struct Reader {
    const char* at;
    const char* end;

    explicit Reader(std::string_view text) : at(text.data()), end(text.data() + text.size()) {}

    bool done() const { return at == end; }
    bool take(char expected) { return at != end && *at == expected && (++at, true); }
    bool take_any(std::string_view set)
    {
        return at != end && set.find(*at) != std::string_view::npos && (++at, true);
    }
    /// Exactly `width` decimal digits.
    bool take_number(int width, int& value)
    {
        if (end - at < width) return false;
        value = 0;
        for (int i = 0; i < width; ++i, ++at) {
            if (*at < '0' || *at > '9') return false;
            value = value * 10 + (*at - '0');
        }
        return true;
    }
};

/// Days since 1970-01-01 in the proleptic Gregorian calendar: H. Hinnant, "chrono-compatible
/// low-level date algorithms", days_from_civil.
constexpr std::int64_t days_from_civil(int year, int month, int of_month)
{
    const int y = month <= 2 ? year - 1 : year;
    const int era = (y >= 0 ? y : y - 399) / 400;
    const int year_of_era = y - era * 400;
    const int day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + of_month - 1;
    const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return std::int64_t{era} * 146097 + day_of_era - 719468;
}
static_assert(days_from_civil(1970, 1, 1) == 0 && days_from_civil(2000, 3, 1) == 11017);

constexpr bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

std::optional<Nanoseconds> from_date(int year, int month, int of_month)
{
    constexpr std::array lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1678 || year > 2261 || month < 1 || month > 12 || of_month < 1) return {};
    const int length = lengths[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(year));
    if (of_month > length) return {};
    return days_from_civil(year, month, of_month) * day;
}

/// ".5", at most nine digits.
bool take_fraction(Reader& text, Nanoseconds& value)
{
    const char* const first = text.at;
    Nanoseconds unit = second;
    for (value = 0; !text.done() && *text.at >= '0' && *text.at <= '9'; ++text.at) {
        unit /= 10;
        value += unit * (*text.at - '0');
    }
    return text.at != first && text.at - first <= 9;
}

/// "HH:MM", "HH:MM:SS", "HH:MM:SS.fff", or "hh-AM".
bool take_clock(Reader& text, Nanoseconds& value)
{
    int hours = 0, minutes = 0, seconds = 0;
    if (!text.take_number(2, hours)) return false;
    if (text.end - text.at == 3 && text.take('-')) {
        const bool afternoon = *text.at == 'P' || *text.at == 'p';
        if (!text.take_any("APap") || !text.take_any("Mm") || hours < 1 || hours > 12) return false;
        value = (hours % 12 + (afternoon ? 12 : 0)) * hour;
        return true;
    }
    if (!text.take(':') || !text.take_number(2, minutes)) return false;
    Nanoseconds fraction = 0;
    if (text.take(':')) {
        if (!text.take_number(2, seconds)) return false;
        if (text.take('.') && !take_fraction(text, fraction)) return false;
    }
    if (hours > 23 || minutes > 59 || seconds > 59) return false;
    value = hours * hour + minutes * minute + seconds * second + fraction;
    return true;
}

/// "+02:00", "-0500", "+2", "-5".
bool take_offset(Reader& text, Nanoseconds& value)
{
    const bool negative = !text.done() && *text.at == '-';
    if (!text.take_any("+-")) return false;
    int hours = 0, minutes = 0;
    const Reader start = text;
    if (!text.take_number(2, hours)) {
        text = start;
        if (!text.take_number(1, hours)) return false;
    }
    if (!text.done()) {
        text.take(':');
        if (!text.take_number(2, minutes)) return false;
    }
    if (hours > 14 || minutes > 59) return false;
    value = (hours * hour + minutes * minute) * (negative ? -1 : 1);
    return true;
}

/// Clock and zone behind a date; nothing behind it is midnight.
std::optional<Nanoseconds> with_clock(Reader text, Nanoseconds date, Nanoseconds offset)
{
    Nanoseconds clock = 0;
    if (!text.done()) {
        if (!text.take_any("T ") || !take_clock(text, clock)) return {};
        if (text.take('Z'))
            offset = 0;
        else if (!text.done() && !take_offset(text, offset))
            return {};
    }
    if (!text.done()) return {};
    return date + clock - offset;
}

/// "YYYY-MM-DD...", also with '/' or '.' between (the year first is never ambiguous).
std::optional<Nanoseconds> parse_year_first(std::string_view text, Nanoseconds offset)
{
    Reader reader{text};
    int year = 0, month = 0, of_month = 0;
    if (!reader.take_number(4, year) || reader.done()) return {};
    const char separator = *reader.at;
    if (!reader.take_any("-/.") || !reader.take_number(2, month) || !reader.take(separator) ||
        !reader.take_number(2, of_month))
        return {};
    const auto date = from_date(year, month, of_month);
    if (!date) return {};
    return with_clock(reader, *date, offset);
}

/// "DD.MM.YYYY...": with points it is always the day that stands first; with '/' it is not.
std::optional<Nanoseconds> parse_day_first(std::string_view text, Nanoseconds offset)
{
    Reader reader{text};
    int year = 0, month = 0, of_month = 0;
    if (!reader.take_number(2, of_month) || !reader.take('.') || !reader.take_number(2, month) ||
        !reader.take('.') || !reader.take_number(4, year))
        return {};
    const auto date = from_date(year, month, of_month);
    if (!date) return {};
    return with_clock(reader, *date, offset);
}

/// A whole count since the epoch; its unit by its size.
std::optional<Nanoseconds> from_count(std::int64_t count)
{
    const auto size = count < 0 ? -static_cast<double>(count) : static_cast<double>(count);
    const Nanoseconds unit = size < 1e11   ? second
                             : size < 1e14 ? 1'000'000
                             : size < 1e17 ? 1'000
                                           : 1;
    Nanoseconds time = 0;
    if (__builtin_mul_overflow(count, unit, &time)) return {};
    return time;
}

std::optional<Nanoseconds> parse_count(std::string_view text, Nanoseconds offset)
{
    std::int64_t count = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{}) return {};
    if (rest == text.data() + text.size()) {
        if (text.size() == 8 && text[0] != '-') {
            const auto date = static_cast<int>(count);
            if (const auto time = from_date(date / 10000, date / 100 % 100, date % 100))
                return *time - offset;
        }
        return from_count(count);
    }
    // "1715248800.25", "1.7152488e9": a float's way of writing a count.
    const auto decimal = parse_decimal(text);
    if (!decimal) return {};
    if (decimal->places == 0) return from_count(decimal->digits);
    return count < 100'000'000'000 ? to_units(*decimal, 9) : std::nullopt;
}

}  // namespace

std::string to_iso8601(Nanoseconds time)
{
    auto days = time / day;
    auto rest = time % day;
    if (rest < 0) {
        rest += day;
        --days;
    }
    // civil_from_days, H. Hinnant as above.
    const auto z = days + 719468;
    const auto era = (z >= 0 ? z : z - 146096) / 146097;
    const auto day_of_era = z - era * 146097;
    const auto year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const auto day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const auto shifted = (5 * day_of_year + 2) / 153;  // months from March
    const auto of_month = day_of_year - (153 * shifted + 2) / 5 + 1;
    const auto month = shifted < 10 ? shifted + 3 : shifted - 9;
    const auto year = year_of_era + era * 400 + (month <= 2);

    auto text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", year, month, of_month,
                            rest / hour, rest / minute % 60, rest / second % 60);
    if (const auto fraction = rest % second; fraction != 0) {
        text += fmt::format(".{:09}", fraction);
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text + 'Z';
}

std::optional<Nanoseconds> parse_duration(std::string_view text)
{
    const auto unit_at = text.find_first_not_of("0123456789.");
    if (unit_at == std::string_view::npos) return {};
    const auto unit = text.substr(unit_at);
    const Nanoseconds length = unit == "d"    ? day
                               : unit == "h"  ? hour
                               : unit == "m"  ? minute
                               : unit == "s"  ? second
                               : unit == "ms" ? 1'000'000
                               : unit == "us" ? 1'000
                               : unit == "ns" ? 1
                                              : 0;
    const auto number = parse_decimal(text.substr(0, unit_at));
    Nanoseconds product = 0;
    if (!number || length == 0 || __builtin_mul_overflow(number->digits, length, &product))
        return {};
    return to_units({product, number->places}, 0);
}

std::optional<Nanoseconds> parse_instant(std::string_view text)
{
    return parse_year_first(text, 0);
}

std::optional<Nanoseconds> parse_timestamp(std::string_view text, Nanoseconds offset)
{
    if (text.size() >= 10) {
        if (text[4] == '-' || text[4] == '/' || text[4] == '.') {
            if (const auto time = parse_year_first(text, offset)) return time;
        } else if (text[2] == '.') {
            return parse_day_first(text, offset);
        }
    }
    return parse_count(text, offset);
}

std::optional<Nanoseconds> parse_zone(std::string_view text)
{
    if (text == "Z") return 0;
    if (text.starts_with("UTC") || text.starts_with("GMT")) {
        text.remove_prefix(3);
        if (text.empty()) return 0;
    }
    Reader reader{text};
    Nanoseconds offset = 0;
    if (!take_offset(reader, offset) || !reader.done()) return {};
    return offset;
}

}  // namespace barsweep
