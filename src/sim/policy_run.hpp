#pragma once
#include <span>

#include "kernels/head.hpp"
#include "kernels/mlp_shape.hpp"
#include "kernels/observe.hpp"
#include "sim/backtest.hpp"

namespace barsweep::sim {

/// A greedy policy over a market's bars: the level worth most (the first of equal ones).
struct Policy {
    kernels::MlpShape shape;
    kernels::Head head;             ///< what the outputs mean
    std::vector<float> parameters;  ///< [parameter_count(shape)] as kernels/mlp_shape.hpp lays them
    kernels::AccountView view = kernels::AccountView::full;
};

/// One continuous run over `window` from a fresh account with the policy in the loop. `features`:
/// [store rows, policy inputs - account features], normalised. The same bits on every machine: the
/// network is evaluated in the fixed order of kernels/affine.hpp, not by a library. `wanted`, where
/// given, gets the level asked for at each decision (ppm).
BacktestResult run_policy(const Market& market, const device::Buffer<float>& features,
                          const Policy& policy, const kernels::Rules& rules, bars::Window window,
                          double ppy, std::vector<FillRow>* fills = nullptr,
                          Wanted* wanted = nullptr);

/// A policy and the account it trades with.
struct Entrant {
    const Policy* policy;
    kernels::Rules rules;
};

/// The same of many at once, those of one shape and head in one launch. An account that stops with
/// a status has it in its totals, and no metrics.
std::vector<BacktestResult> run_policies(const Market& market,
                                         const device::Buffer<float>& features,
                                         std::span<const Entrant> entrants, bars::Window window,
                                         double ppy);

}  // namespace barsweep::sim
