#include "agents/network.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace barsweep::agents {

std::vector<float> initial_parameters(const kernels::MlpShape& shape, std::uint64_t stream_key)
{
    std::vector<float> parameters(static_cast<std::size_t>(kernels::parameter_count(shape)));
    RandomStream draws{stream_key, Purpose::network_weights};
    for (int layer = 0; layer < shape.layers; ++layer) {
        const double bound = 1 / std::sqrt(static_cast<double>(shape.sizes[layer]));
        const kernels::i64 width = kernels::padded(shape.sizes[layer + 1]);
        float* row = parameters.data() + kernels::weight_offset(shape, layer);
        for (int k = 0; k <= shape.sizes[layer]; ++k, row += width) {  // the bias comes last
            for (int j = 0; j < shape.sizes[layer + 1]; ++j) {
                row[j] = static_cast<float>((2 * draws.uniform() - 1) * bound);
            }
        }
        if (shape.normalised(layer)) {
            std::fill_n(parameters.data() + kernels::gain_offset(shape, layer),
                        shape.sizes[layer + 1], 1.0f);
        }
    }
    return parameters;
}

}  // namespace barsweep::agents
