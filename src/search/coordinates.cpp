#include "search/coordinates.hpp"

#include <algorithm>
#include <cmath>

namespace barsweep::search {
namespace {

template <class... Ts>
struct Match : Ts... {
    using Ts::operator()...;
};

double within(double u)
{
    return std::clamp(u, 0.0, 1.0);
}

std::int64_t grid_index(const Axis& axis, double u)
{
    const auto k = static_cast<std::int64_t>(u * static_cast<double>(axis.count));
    return std::clamp<std::int64_t>(k, 0, axis.count - 1);
}

double grid_middle(const Axis& axis, std::int64_t index)
{
    return (static_cast<double>(index) + 0.5) / static_cast<double>(axis.count);
}

/// Of a logarithmic integer.
std::int64_t log_integer(const Axis& axis, double u)
{
    const auto& range = std::get<IntRange>(axis.parameter.distribution);
    return std::clamp<std::int64_t>(std::llround(std::exp(axis.low + u * axis.span)), range.low,
                                    range.high);
}

double log_place(const Axis& axis, double x)
{
    return within((std::log(x) - axis.low) / axis.span);
}

void set_bounds(Axis& axis, double low, double high)
{
    axis.low = axis.log ? std::log(low) : low;
    axis.span = (axis.log ? std::log(high) : high) - axis.low;
    if (axis.span == 0) axis.span = 1;
}

}  // namespace

Axis::Axis(Parameter of) : parameter(std::move(of)), count(count_values(parameter.distribution))
{
    std::visit(Match{[this](const FloatRange& range) {
                         log = range.log;
                         kind = count > 0 ? AxisKind::grid : AxisKind::continuous;
                         if (kind == AxisKind::grid) log = false;
                         set_bounds(*this, range.low, range.high);
                     },
                     [this](const IntRange& range) {
                         log = range.log && count > 1;
                         kind = AxisKind::grid;
                         set_bounds(*this, static_cast<double>(range.low) - 0.5,
                                    static_cast<double>(range.high) + 0.5);
                     },
                     [this](const Choice&) { kind = AxisKind::choice; }},
               parameter.distribution);
}

std::vector<Axis> axes_of(const Space& space)
{
    return std::vector<Axis>(space.parameters.begin(), space.parameters.end());
}

double coordinate(const Axis& axis, const Value& value)
{
    const auto grid = [&axis](double x, double low, double step) {
        if (axis.count == 1) return 0.5;
        const double k = std::round((x - low) / step);
        return grid_middle(axis, static_cast<std::int64_t>(
                                     std::clamp(k, 0.0, static_cast<double>(axis.count - 1))));
    };
    return std::visit(Match{[&](const FloatRange& range, double x) {
                                if (axis.kind == AxisKind::grid)
                                    return grid(x, range.low, range.step);
                                return axis.log ? log_place(axis, x)
                                                : within((x - axis.low) / axis.span);
                            },
                            [&](const IntRange& range, std::int64_t x) {
                                if (axis.log) return log_place(axis, static_cast<double>(x));
                                return grid(static_cast<double>(x), static_cast<double>(range.low),
                                            static_cast<double>(range.step));
                            },
                            [&](const Choice& choice, const std::string& x) {
                                const auto found = std::ranges::find(choice.values, x);
                                return found == choice.values.end()
                                           ? -1.0
                                           : static_cast<double>(found - choice.values.begin());
                            },
                            [](const auto&, const auto&) { return -1.0; }},
                      axis.parameter.distribution, value);
}

std::vector<double> coordinates_of(const std::vector<Axis>& axes, const Params& params)
{
    std::vector<double> at;
    for (const auto& axis : axes) {
        const auto found = params.find(axis.parameter.name);
        if (found == params.end()) return {};
        at.push_back(coordinate(axis, found->second));
    }
    return at;
}

Value value_at_share(const Axis& axis, double u)
{
    if (axis.kind != AxisKind::continuous && !axis.log)
        return value_at(axis.parameter.distribution, grid_index(axis, u));
    if (axis.kind == AxisKind::grid) return log_integer(axis, u);
    const auto& range = std::get<FloatRange>(axis.parameter.distribution);
    const double x = axis.low + u * axis.span;
    return std::clamp(axis.log ? std::exp(x) : x, range.low, range.high);
}

Value value_at_coordinate(const Axis& axis, double at)
{
    if (axis.kind == AxisKind::choice)
        return value_at(axis.parameter.distribution, static_cast<std::int64_t>(at));
    return value_at_share(axis, at);
}

double snap(const Axis& axis, double u)
{
    if (axis.kind == AxisKind::continuous) return within(u);
    if (axis.log) return log_place(axis, static_cast<double>(log_integer(axis, u)));
    const auto index = grid_index(axis, u);
    return axis.kind == AxisKind::choice ? static_cast<double>(index) : grid_middle(axis, index);
}

Cell cell(const Axis& axis, double at)
{
    if (axis.log) {
        const auto x = static_cast<double>(log_integer(axis, at));
        return {log_place(axis, x - 0.5), log_place(axis, x + 0.5)};
    }
    const double half = 0.5 / static_cast<double>(axis.count);
    return {at - half, at + half};
}

}  // namespace barsweep::search
