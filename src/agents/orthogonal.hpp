#pragma once
#include <vector>

#include "base/random.hpp"
#include "kernels/mlp_shape.hpp"

namespace barsweep::agents {

/// A matrix [rows, columns] whose rows (or columns, whichever are fewer) have the norm `gain` and
/// are orthogonal, uniformly distributed (A. Saxe et al., ICLR 2014, section 3): normal numbers,
/// orthogonalised in their order by Gram and Schmidt in double.
std::vector<double> orthogonal(std::int64_t rows, std::int64_t columns, double gain,
                               RandomStream& draws);

/// A network with orthogonal weights: gain sqrt 2, `last_gain` of the last layer; biases 0, gains
/// of normalisation 1. Writes [parameter_count]. `network` tells networks of one trial apart.
void write_orthogonal(const kernels::MlpShape& shape, double last_gain, std::uint64_t stream_key,
                      std::uint32_t network, float* parameters);

}  // namespace barsweep::agents
