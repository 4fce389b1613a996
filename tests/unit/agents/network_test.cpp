#include "agents/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agents/trial_key.hpp"

namespace barsweep::agents {
namespace {

TEST(Network, ParametersFillTheirLayersBound)
{
    const kernels::MlpShape shape{2, {64, 100, 4}};
    const auto p = initial_parameters(shape, 5);
    ASSERT_EQ(p.size(), 65u * 112 + 101 * 16);  // 100 and 4 units, padded
    const auto largest = [&](std::size_t from, std::size_t to) {
        float most = 0;
        for (auto i = from; i < to; ++i) most = std::max(most, std::abs(p[i]));
        return most;
    };
    EXPECT_LE(largest(0, 65 * 112), 1.0f / 8);
    EXPECT_GT(largest(0, 65 * 112), 0.99f / 8);
    EXPECT_LE(largest(65 * 112, p.size()), 0.1f);
    EXPECT_GT(largest(65 * 112, p.size()), 0.098f);
    for (std::size_t k = 0; k < 65; ++k) EXPECT_EQ(largest(112 * k + 100, 112 * k + 112), 0);
    double sum = 0;
    for (std::size_t i = 0; i < 65 * 112; ++i) sum += p[i];
    EXPECT_LT(std::abs(sum / 6'500), 4 * (1.0 / 8) / std::sqrt(3.0 * 6'500));  // four sigmas
}

TEST(Network, StreamsAreKeyedBySeedTrialAndReplicate)
{
    const auto key = stream_key({1, 2, 3});
    EXPECT_EQ(key, stream_key({1, 2, 3}));
    EXPECT_NE(key, stream_key({2, 2, 3}));
    EXPECT_NE(key, stream_key({1, 3, 2}));
    EXPECT_NE(key, stream_key({1, 2, 4}));
}

}  // namespace
}  // namespace barsweep::agents
