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
    bars::Window train;  ///< without its purged tail
    double reward_scale =
        1;  ///< 1 / standard deviation of one-bar log returns of the training window
};

}  // namespace barsweep::agents
