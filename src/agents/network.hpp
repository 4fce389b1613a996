#pragma once
#include <cstdint>
#include <vector>

#include "kernels/mlp_shape.hpp"

namespace barsweep::agents {

/// Weights and biases uniform in +-1/sqrt(inputs of their layer), the bound of LeCun et al.,
/// "Efficient BackProp", 1998, section 4.6, and PyTorch's default for Linear; gains 1, shifts 0.
/// [parameter_count]
std::vector<float> initial_parameters(const kernels::MlpShape& shape, std::uint64_t stream_key);

}  // namespace barsweep::agents
