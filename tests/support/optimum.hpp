#pragma once
#include "sim/backtest.hpp"

namespace barsweep::sim {

/// The most that any sequence of levels makes over a window, and one that makes it.
struct Optimum {
    kernels::i64 profit = 0;  ///< tick*lot, final equity less the initial money
    Wanted wanted;            ///< [decisions] ppm
};

/// By dynamic programming over (bar, level): R. Bellman, Dynamic Programming, 1957, with `advance`
/// as the transition. A fixed unit makes the money of a bar independent of that of the bars before,
/// so the result is exact where it doesn't lead through ruin (`run_backtest` of `wanted` tells).
/// Throws std::logic_error for rules without a unit, with closing barriers, or of levels that
/// round to no lot.
Optimum optimum_of(const Market& market, const kernels::Rules& rules, bars::Window window);

}  // namespace barsweep::sim
