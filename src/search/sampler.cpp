#include "search/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "search/permutation.hpp"

namespace barsweep::search {
namespace {

constexpr std::int64_t largest_grid = std::int64_t{1} << 62;

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

std::int64_t grid_size(const Space& space)
{
    std::int64_t size = 1;
    for (const auto& [name, distribution] : space.parameters) {
        const std::int64_t count = count_values(distribution);
        if (count == 0)
            throw UserError(
                {"[space] " + name, "a step, since the grid sampler is asked for",
                 "a range without one",
                 "write float LOW HIGH step S, or choice A B C, or take sampler = random"});
        if (size > largest_grid / count)
            throw UserError({"[space]", "a grid of at most 2^62 points",
                             "more (" + name + " included)",
                             "make steps larger, or take sampler = random"});
        size *= count;
    }
    return size;
}

}  // namespace

Sampler::Sampler(SamplerOptions options, Space space) : options_(options), space_(std::move(space))
{
    if (options_.kind == SamplerKind::grid) grid_size_ = grid_size(space_);
}

std::optional<Params> Sampler::draw(std::int64_t number, const std::vector<TrialRecord>&) const
{
    switch (options_.kind) {
        case SamplerKind::random:
            return draw_random(number);
        case SamplerKind::grid:
            break;
    }
    if (number >= grid_size_) return {};
    return grid_point(
        static_cast<std::int64_t>(permuted(static_cast<std::uint64_t>(number),
                                           static_cast<std::uint64_t>(grid_size_), options_.seed)));
}

Params Sampler::draw_random(std::int64_t number) const
{
    Params params;
    std::uint32_t index = 0;
    for (const auto& [name, distribution] : space_.parameters) {
        RandomStream random(options_.seed, Purpose::sample_parameter,
                            static_cast<std::uint32_t>(number), index++);
        params[name] =
            std::visit([&](const auto& kind) { return draw_one(kind, random); }, distribution);
    }
    return params;
}

/// The first parameter varies fastest.
Params Sampler::grid_point(std::int64_t index) const
{
    Params params;
    for (const auto& [name, distribution] : space_.parameters) {
        const std::int64_t count = count_values(distribution);
        params[name] = value_at(distribution, index % count);
        index /= count;
    }
    return params;
}

}  // namespace barsweep::search
