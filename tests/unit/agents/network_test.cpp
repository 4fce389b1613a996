#include "agents/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace barsweep::agents {
namespace {

TEST(Network, HasTheObservationsInAndTheLevelsOut)
{
    DqnConfig config;
    config.hidden = {64, 32};
    const auto shape = shape_of(config, 51, 5);
    EXPECT_EQ(shape.layers, 3);
    EXPECT_EQ(shape.inputs(), 59);
    EXPECT_EQ(shape.sizes[1], 64);
    EXPECT_EQ(shape.sizes[2], 32);
    EXPECT_EQ(shape.outputs(), 5);
    config.observation = kernels::AccountView::three;
    EXPECT_EQ(shape_of(config, 7, 2).inputs(), 10);
}

TEST(Network, ParametersFillTheirLayersBound)
{
    DqnConfig config;
    config.hidden = {100};
    const auto shape = shape_of(config, 56, 4);  // 64 inputs
    const auto p = initial_parameters(shape, 5);
    ASSERT_EQ(p.size(), 64u * 100 + 100 + 100 * 4 + 4);
    const auto largest = [&](std::size_t from, std::size_t to) {
        float most = 0;
        for (auto i = from; i < to; ++i) most = std::max(most, std::abs(p[i]));
        return most;
    };
    EXPECT_LE(largest(0, 6'500), 1.0f / 8);
    EXPECT_GT(largest(0, 6'500), 0.99f / 8);
    EXPECT_LE(largest(6'500, p.size()), 0.1f);
    EXPECT_GT(largest(6'500, p.size()), 0.098f);
    double sum = 0;
    for (std::size_t i = 0; i < 6'500; ++i) sum += p[i];
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
