#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "market.hpp"

namespace barsweep::agents {
namespace {

std::uint64_t seeds(std::uint64_t quick, std::uint64_t full)
{
    return std::getenv("BARSWEEP_FULL") != nullptr ? full : quick;
}

Share told(const char* what, std::uint64_t seed, const Share& share)
{
    fmt::print("{}, seed {}: made {:.3f} of the best, expected {:.3f}, {} fills\n", what, seed,
               share.made, share.expected, share.fills);
    return share;
}

/// Seeds 1 to 20 of an earlier engine: 0.971 on average, deviation 0.011, lowest 0.945.
TEST(Sine, DqnReachesNineTenthsOfTheOptimumOnBarsHeldOut)
{
    for (std::uint64_t seed = 1; seed <= seeds(2, 20); ++seed)
        EXPECT_GE(told("DQN", seed, share_of_sine(DqnConfig{}, seed, 40'000)).made, 0.9);
}

/// A discount that looks less far than the default's 0.99, which turns late: 0.87 to 0.91 on seeds
/// 1 and 2. Seeds 1 to 5: 0.934, 0.949, 0.969, 0.977, 0.975.
TEST(Sine, PpoReachesNineTenthsOfTheOptimumOnBarsHeldOut)
{
    PpoConfig config;
    config.gamma = 0.98;
    for (std::uint64_t seed = 1; seed <= seeds(1, 5); ++seed)
        EXPECT_GE(told("PPO", seed, share_of_sine(config, seed, 120'000)).made, 0.9);
}

/// Seeds 1 and 2: 0.886, 0.878.
TEST(Ou, DqnReachesFourFifthsOfWhatNoOneWithoutTheNoiseBetters)
{
    for (std::uint64_t seed = 1; seed <= seeds(1, 5); ++seed)
        EXPECT_GE(told("DQN", seed, share_of_ou(ou_dqn(), seed, 100'000)).expected, 0.8);
}

/// Seeds 1 to 3: 0.903, 0.894, 0.914.
TEST(Ou, PpoReachesFourFifthsOfWhatNoOneWithoutTheNoiseBetters)
{
    for (std::uint64_t seed = 1; seed <= seeds(1, 5); ++seed)
        EXPECT_GE(told("PPO", seed, share_of_ou(ou_ppo(), seed, 200'000)).expected, 0.8);
}

/// Targets for every level of a bar share its noise. Seeds 1 and 2: 0.770 twice after 30,000 bars
/// with all of them; 0.664 and 0.678 after 60,000 with the one taken.
TEST(AllActions, HalfTheBarsBringMore)
{
    for (std::uint64_t seed = 1; seed <= seeds(1, 5); ++seed) {
        const auto all = told("all actions", seed, share_of_ou(wide_ou_dqn(true), seed, 30'000));
        const auto one = told("the one taken", seed, share_of_ou(wide_ou_dqn(false), seed, 60'000));
        EXPECT_GT(all.expected, one.expected);
    }
}

}  // namespace
}  // namespace barsweep::agents
