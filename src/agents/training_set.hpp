#pragma once
#include "bars/features.hpp"
#include "bars/split.hpp"
#include "device/buffer.hpp"
#include "sim/market.hpp"

namespace barsweep::agents {

/// What all trials of a rank share, loaded once: prices, normalised features, the training window.
struct TrainingSet {
    sim::Market market;
    device::Buffer<float> features;  ///< [rows, feature_count], normalised by `scaling`
    int feature_count = 0;
    bars::Scaling scaling;
    bars::Window train;       ///< without its purged tail
    double reward_scale = 1;  ///< 1 / standard deviation of the window's one-bar log returns
};

/// 1 / standard deviation (population) of the one-bar log returns inside `window`; 1 where they
/// don't vary.
double automatic_reward_scale(const bars::BarSeries& series, bars::Window window);

/// `features`: [rows, feature_count] as stored. Their scaling is fitted on `fitted_on`, the
/// training window before its purge (SEMANTICS 9); lanes live in `train`.
TrainingSet make_training_set(sim::Market market, device::Buffer<float> features, int feature_count,
                              bars::Window fitted_on, bars::Window train, double reward_scale);

}  // namespace barsweep::agents
