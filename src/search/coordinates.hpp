#pragma once
#include <cstdint>
#include <vector>

#include "search/space.hpp"

namespace barsweep::search {

enum class AxisKind { continuous, grid, choice };

/// A parameter as model-based samplers see it: a number lies in [0, 1] by its place between its
/// bounds (their logarithms where the range is log). A grid's ends lie half a step outside its
/// first and last value, so that each value owns the share of [0, 1] that a uniform draw gives it.
/// A choice has no order: its coordinate is its index.
struct Axis {
    Parameter parameter;
    AxisKind kind = AxisKind::continuous;
    std::int64_t count = 0;  ///< of values; 0: a continuum
    bool log = false;
    double low = 0, span = 1;  ///< of coordinates 0..1, in the logarithm where log

    explicit Axis(Parameter parameter);
};

std::vector<Axis> axes_of(const Space& space);

/// The coordinate of a value; one outside its bounds lies at the nearer end, an unknown choice is
/// -1.
double coordinate(const Axis& axis, const Value& value);

/// A trial's coordinate on each axis; empty where it lacks one of the parameters.
std::vector<double> coordinates_of(const std::vector<Axis>& axes, const Params& params);

/// The value that owns `u` of [0, 1]. Of a uniform `u`, what the random sampler draws. For a
/// choice too, whose values share [0, 1] equally.
Value value_at_share(const Axis& axis, double u);

/// The value at a coordinate (which is `u` itself but for a choice).
Value value_at_coordinate(const Axis& axis, double at);

/// The coordinate of the value that owns `u`: where a draw from the continuum lands.
double snap(const Axis& axis, double u);

/// The stretch of [0, 1] that the grid value at this coordinate owns.
struct Cell {
    double left, right;
};
Cell cell(const Axis& axis, double at);

}  // namespace barsweep::search
