#pragma once
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

}  // namespace barsweep::sim
