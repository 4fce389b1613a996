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

TEST(Sine, DqnReachesNineTenthsOfTheOptimumOnBarsHeldOut)
{
    for (std::uint64_t seed = 1; seed <= seeds(2, 20); ++seed)
        EXPECT_GE(told("DQN", seed, share_of_sine(DqnConfig{}, seed, 40'000)).made, 0.9);
}

TEST(Sine, PpoReachesNineTenthsOfTheOptimumOnBarsHeldOut)
{
    for (std::uint64_t seed = 1; seed <= seeds(1, 5); ++seed)
        EXPECT_GE(told("PPO", seed, share_of_sine(PpoConfig{}, seed, 120'000)).made, 0.9);
}

TEST(Ou, DqnReachesFourFifthsOfWhatNoOneWithoutTheNoiseBetters)
{
    for (std::uint64_t seed = 1; seed <= seeds(1, 5); ++seed)
        EXPECT_GE(told("DQN", seed, share_of_ou(ou_dqn(), seed, 200'000)).expected, 0.8);
}

TEST(Ou, PpoReachesFourFifthsOfWhatNoOneWithoutTheNoiseBetters)
{
    for (std::uint64_t seed = 1; seed <= seeds(1, 5); ++seed)
        EXPECT_GE(told("PPO", seed, share_of_ou(ou_ppo(), seed, 200'000)).expected, 0.8);
}

/// Targets for every level of a bar share its noise. Seeds 1 and 2: 0.77 and 0.77 after 30,000 bars
/// with all of them, 0.66 and 0.68 after 60,000 with the one taken.
TEST(AllActions, HalfTheBarsBringMore)
{
    auto all = ou_dqn(), taken = ou_dqn();
    taken.all_actions = false;
    for (std::uint64_t seed = 1; seed <= seeds(1, 5); ++seed) {
        EXPECT_GT(
            told("all actions, 30,000 steps", seed, share_of_ou(all, seed, 30'000)).expected,
            told("the one taken, 60,000 steps", seed, share_of_ou(taken, seed, 60'000)).expected);
    }
}

}  // namespace
}  // namespace barsweep::agents
