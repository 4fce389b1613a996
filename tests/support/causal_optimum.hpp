#pragma once
#include <vector>

#include "bars/synthetic.hpp"
#include "sim/backtest.hpp"

namespace barsweep::sim {

/// The best that an account can do on `ou` bars without knowing their noise: a level for each
/// (close, level in force).
struct CausalPolicy {
    double centre = 0;  ///< ticks, the price that others are drawn to
    double step = 0;    ///< ticks between points of the grid
    double memory = 0;  ///< share of the distance from the centre that is left after a bar
    kernels::i64 points = 0;
    kernels::Rules rules;
    std::vector<std::size_t> best;  ///< [points, levels in force] index of a level

    kernels::i64 level_at(kernels::i64 close, kernels::i64 in_force) const;
};

/// By dynamic programming over (signal, level): R. Bellman, Dynamic Programming, 1957; relative
/// value iteration (D. White, "Dynamic programming, Markov chains, and the method of successive
/// approximations", 1963) for the mean gain of a bar. The process is that of `bars::synthesize`;
/// its distance from the start price a bar on is normal but for the noise's tails. Throws
/// std::logic_error for bars that aren't `ou` and for rules without a unit, a flat level, or with
/// carry or closing barriers.
CausalPolicy causal_optimum(const bars::SyntheticOptions& ou, const kernels::Rules& rules);

/// What the policy asks for at each decision of a window, from a fresh account on.
Wanted causal_levels(const CausalPolicy& policy, const Market& market, bars::Window window);

/// tick*lot: what holding `wanted` is expected to bring at each decision, summed, less the costs of
/// spread and fees: the profit without the luck of the noise, of a run that was never ruined.
double expected_profit(const CausalPolicy& policy, const Market& market, bars::Window window,
                       const Wanted& wanted);

}  // namespace barsweep::sim
