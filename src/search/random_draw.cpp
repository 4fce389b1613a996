#include "search/random_draw.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace barsweep::search {
namespace {

double log_uniform(double low, double high, RandomStream& random)
{
    const double a = std::log(low), b = std::log(high);
    return std::exp(a + random.uniform() * (b - a));
}

Value draw_one(const FloatRange& range, RandomStream& random)
{
    if (range.low == range.high) return range.low;
    if (range.step > 0) {
        const auto count = static_cast<std::uint64_t>(count_values(range));
        return value_at(range, static_cast<std::int64_t>(random.below(count)));
    }
    const double x = range.log ? log_uniform(range.low, range.high, random)
                               : range.low + random.uniform() * (range.high - range.low);
    return std::clamp(x, range.low, range.high);
}

/// Log: uniform in log over [low - 0.5, high + 0.5], rounded, so that each integer gets the share
/// of its own unit interval.
Value draw_one(const IntRange& range, RandomStream& random)
{
    if (range.log) {
        const double x = log_uniform(static_cast<double>(range.low) - 0.5,
                                     static_cast<double>(range.high) + 0.5, random);
        return std::clamp(static_cast<std::int64_t>(std::llround(x)), range.low, range.high);
    }
    const auto count = static_cast<std::uint64_t>(count_values(range));
    return range.low + static_cast<std::int64_t>(random.below(count)) * range.step;
}

Value draw_one(const Choice& choice, RandomStream& random)
{
    return choice.values[random.below(choice.values.size())];
}

}  // namespace

Params RandomDraw::draw(std::int64_t number) const
{
    Params params;
    std::uint32_t index = 0;
    for (const auto& [name, distribution] : space_.parameters) {
        RandomStream random(seed_, Purpose::sample_parameter, static_cast<std::uint32_t>(number),
                            index++);
        params[name] =
            std::visit([&](const auto& kind) { return draw_one(kind, random); }, distribution);
    }
    return params;
}

}  // namespace barsweep::search
