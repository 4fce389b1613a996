#pragma once
#include <functional>
#include <vector>

namespace barsweep::search {

/// A function's value at `x`, its derivatives into `gradient` (as long as x). NaN or infinite where
/// it can't be had; such a point is never taken.
using Objective =
    std::function<double(const std::vector<double>& x, std::vector<double>& gradient)>;

/// From `x` downhill to a local minimum: L-BFGS with ten pairs and halved steps (J. Nocedal, S. J.
/// Wright, "Numerical optimization", 2006, algorithms 7.4, 7.5 and 3.1). Ends where the largest
/// derivative is below `tolerance`, a step gains nothing, or after so many steps. `value`: there.
std::vector<double> minimise(const Objective& objective, std::vector<double> x, int steps,
                             double tolerance, double& value);

}  // namespace barsweep::search
