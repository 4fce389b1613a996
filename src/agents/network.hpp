#pragma once
#include <cstdint>
#include <vector>

#include "agents/dqn_config.hpp"
#include "agents/learner.hpp"
#include "kernels/mlp.hpp"

namespace barsweep::agents {

/// Inputs: the bar's features, then the account's. Outputs: a value a level.
kernels::MlpShape shape_of(const DqnConfig& config, int feature_count, std::int64_t levels);

/// Keys the streams that are a trial's own: exploration, weights, replay.
std::uint64_t stream_key(const TrialKey& key);

/// Weights and biases uniform in +-1/sqrt(inputs of their layer), the bound of LeCun et al.,
/// "Efficient BackProp", 1998, section 4.6, and PyTorch's default for Linear. [parameter_count]
std::vector<float> initial_parameters(const kernels::MlpShape& shape, std::uint64_t stream_key);

}  // namespace barsweep::agents
