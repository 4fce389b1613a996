#include "agents/network.hpp"

#include <cmath>

#include "base/random.hpp"

namespace barsweep::agents {

kernels::MlpShape shape_of(const DqnConfig& config, int feature_count, std::int64_t levels)
{
    kernels::MlpShape shape;
    shape.sizes[0] = feature_count + kernels::account_feature_count(config.observation);
    for (const auto width : config.hidden) shape.sizes[++shape.layers] = width;
    shape.sizes[++shape.layers] = static_cast<kernels::i32>(levels);
    return shape;
}

std::uint64_t stream_key(const TrialKey& key)
{
    return RandomStream(key.seed, Purpose::trial_key, static_cast<std::uint32_t>(key.trial),
                        static_cast<std::uint32_t>(key.replicate))
        .next_u64();
}

std::vector<float> initial_parameters(const kernels::MlpShape& shape, std::uint64_t stream_key)
{
    std::vector<float> parameters;
    parameters.reserve(static_cast<std::size_t>(kernels::parameter_count(shape)));
    RandomStream draws{stream_key, Purpose::network_weights};
    for (int layer = 0; layer < shape.layers; ++layer) {
        const double bound = 1 / std::sqrt(static_cast<double>(shape.sizes[layer]));
        const auto end = static_cast<std::size_t>(kernels::weight_offset(shape, layer + 1));
        while (parameters.size() < end) {
            parameters.push_back(static_cast<float>((2 * draws.uniform() - 1) * bound));
        }
    }
    return parameters;
}

}  // namespace barsweep::agents
