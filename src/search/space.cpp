#include "search/space.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/decimal.hpp"
#include "search/numbers.hpp"

namespace barsweep::search {
namespace {

template <class... Ts>
struct Match : Ts... {
    using Ts::operator()...;
};

constexpr double exact_integers = 0x1.0p53;

/// A float's grid in whole units of 10^-places.
struct DecimalGrid {
    std::int64_t low, high, step;
    int places;
};

/// Empty where a bound has no decimal form of at most 15 digits at the common places (15, so that
/// units / 10^places is one correctly rounded division).
std::optional<DecimalGrid> decimal_grid(const FloatRange& range)
{
    const auto low = parse_decimal(shortest(range.low));
    const auto high = parse_decimal(shortest(range.high));
    const auto step = parse_decimal(shortest(range.step));
    if (!low || !high || !step) return {};
    const int places = std::max({low->places, high->places, step->places});
    const auto a = to_units(*low, places), b = to_units(*high, places), s = to_units(*step, places);
    constexpr std::int64_t limit = 1'000'000'000'000'000;
    const auto fits = [](const auto& units) { return units && std::abs(*units) < limit; };
    if (!fits(a) || !fits(b) || !fits(s) || *s == 0) return {};
    return DecimalGrid{*a, *b, *s, places};
}

double power_of_ten(int exponent)  // exact up to 10^22
{
    double power = 1;
    while (exponent-- > 0) power *= 10;
    return power;
}

std::int64_t last_index(const FloatRange& range)
{
    if (const auto grid = decimal_grid(range)) return (grid->high - grid->low) / grid->step;
    auto k = static_cast<std::int64_t>(
        std::min(std::floor((range.high - range.low) / range.step), exact_integers));
    while (k > 0 && range.low + static_cast<double>(k) * range.step > range.high) --k;
    return k;
}

double float_at(const FloatRange& range, std::int64_t k)
{
    if (k == 0) return range.low;
    if (const auto grid = decimal_grid(range))
        return static_cast<double>(grid->low + k * grid->step) / power_of_ten(grid->places);
    return range.low + static_cast<double>(k) * range.step;
}

std::int64_t last_index(const IntRange& range)
{
    return (range.high - range.low) / range.step;
}

std::vector<std::string> float_faults(const FloatRange& range)
{
    std::vector<std::string> found;
    if (!std::isfinite(range.low) || !std::isfinite(range.high) || !std::isfinite(range.step))
        found.push_back("bounds and step must be finite numbers");
    if (range.low > range.high)
        found.push_back("low must not be above high, found " + shortest(range.low) + " above " +
                        shortest(range.high));
    else if (!std::isfinite(range.high - range.low))
        found.push_back("high - low must be a finite number");
    if (range.log && range.low <= 0)
        found.push_back("log needs low > 0, found " + shortest(range.low));
    if (range.log && range.step != 0) found.push_back("step and log don't go together");
    if (!range.log && range.step < 0)
        found.push_back("step must be > 0, found " + shortest(range.step));
    return found;
}

std::vector<std::string> int_faults(const IntRange& range)
{
    std::vector<std::string> found;
    constexpr std::int64_t limit = std::int64_t{1} << 53;
    if (range.low < -limit || range.high > limit)
        found.push_back("bounds must lie within -2^53 and 2^53");
    if (range.low > range.high)
        found.push_back("low must not be above high, found " + shortest(range.low) + " above " +
                        shortest(range.high));
    if (range.log && range.low < 1)
        found.push_back("log int needs low >= 1, found " + shortest(range.low));
    if (range.log && range.step != 1) found.push_back("step and log don't go together");
    if (!range.log && range.step <= 0)
        found.push_back("step must be > 0, found " + shortest(range.step));
    return found;
}

std::vector<std::string> choice_faults(const Choice& choice)
{
    if (choice.values.empty()) return {"no choices"};
    std::vector<std::string> found;
    std::set<std::string> seen;
    for (const auto& value : choice.values)
        if (!seen.insert(value).second) found.push_back("choice " + value + " stands there twice");
    return found;
}

bool contains_float(const FloatRange& range, double value)
{
    if (!(range.low <= value && value <= range.high)) return false;
    if (range.step == 0) return true;
    const auto k = std::llround((value - range.low) / range.step);
    return k <= last_index(range) && float_at(range, k) == value;
}

}  // namespace

std::string to_text(const Value& value)
{
    return std::visit(Match{[](const std::string& text) { return text; },
                            [](auto number) { return shortest(number); }},
                      value);
}

std::vector<std::string> faults(const Distribution& distribution)
{
    return std::visit(Match{[](const FloatRange& range) { return float_faults(range); },
                            [](const IntRange& range) { return int_faults(range); },
                            [](const Choice& choice) { return choice_faults(choice); }},
                      distribution);
}

bool contains(const Distribution& distribution, const Value& value)
{
    return std::visit(
        Match{[](const FloatRange& range, double x) { return contains_float(range, x); },
              [](const IntRange& range, std::int64_t x) {
                  return range.low <= x && x <= range.high && (x - range.low) % range.step == 0;
              },
              [](const Choice& choice, const std::string& x) {
                  return std::ranges::find(choice.values, x) != choice.values.end();
              },
              [](const auto&, const auto&) { return false; }},
        distribution, value);
}

std::int64_t count_values(const Distribution& distribution)
{
    return std::visit(
        Match{[](const FloatRange& range) {
                  if (range.low == range.high) return std::int64_t{1};
                  return range.step > 0 ? last_index(range) + 1 : 0;
              },
              [](const IntRange& range) { return last_index(range) + 1; },
              [](const Choice& choice) { return static_cast<std::int64_t>(choice.values.size()); }},
        distribution);
}

Value value_at(const Distribution& distribution, std::int64_t k)
{
    return std::visit(
        Match{[k](const FloatRange& range) { return Value{float_at(range, k)}; },
              [k](const IntRange& range) { return Value{range.low + k * range.step}; },
              [k](const Choice& choice) {
                  return Value{choice.values.at(static_cast<std::size_t>(k))};
              }},
        distribution);
}

double last_value(const Distribution& distribution)
{
    return std::visit(
        Match{[](const FloatRange& range) {
                  return range.step > 0 ? float_at(range, last_index(range)) : range.high;
              },
              [](const IntRange& range) {
                  return static_cast<double>(range.low + last_index(range) * range.step);
              },
              [](const Choice& choice) { return static_cast<double>(choice.values.size()) - 1; }},
        distribution);
}

}  // namespace barsweep::search
