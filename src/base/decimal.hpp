#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace barsweep {

/// An exact decimal number, `digits` * 10^-`places`. Money, prices and quantities are read into it
/// and leave it as integers: no float on the way.
struct Decimal {
    std::int64_t digits = 0;
    int places = 0;  ///< >= 0, at most 18; trailing zeros are stripped on reading ("2.50": 25, 1)

    friend bool operator==(const Decimal&, const Decimal&) = default;
};

/// Reads plain and exponent forms: "101.25", ".5", "5.", "+0.25", "-3", "2.9e-05", "3.0E-5".
/// Empty for anything else (blank, "nan", "1,000", two points, spaces) and for more than 18
/// significant digits or more than 18 places.
std::optional<Decimal> parse_decimal(std::string_view text);

/// `value` in units of 10^-places, exactly; empty where digits would be lost or int64 overflows.
std::optional<std::int64_t> to_units(Decimal value, int places);

/// `value` in units of 10^-places, rounded half to even; empty where int64 overflows.
std::optional<std::int64_t> round_to_units(Decimal value, int places);

/// The order of the two values, exactly, whatever their places.
std::strong_ordering compare(Decimal a, Decimal b);

/// Plain notation without trailing zeros or exponent: units 10125 at places 2 is "101.25".
std::string to_text(std::int64_t units, int places);
void append_text(std::string& text, std::int64_t units, int places);  ///< the same, behind `text`

}  // namespace barsweep
