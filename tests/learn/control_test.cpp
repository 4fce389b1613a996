#include "support/control.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace barsweep::agents {
namespace {

/// Seeds 1 to 5, and all 500,000 steps that CleanRL's figures are of, only in the long form.
bool full()
{
    return std::getenv("BARSWEEP_FULL") != nullptr;
}

template <class Task, class Config>
double mean_return(const char* what, const Config& config, std::uint64_t seeds, std::int64_t steps)
{
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const double one = learned_return<Task>(config, seed, steps);
        fmt::print("{}, seed {}, {} steps: {:.2f}\n", what, seed, steps, one);
        sum += one;
    }
    return sum / static_cast<double>(seeds);
}

TEST(Control, DqnBalancesThePole)
{
    if (full()) {
        EXPECT_GE(mean_return<CartPole>("DQN", control_dqn(), 5, 500'000), 488.69 - 2 * 16.11);
        return;
    }
    EXPECT_GE(mean_return<CartPole>("DQN", control_dqn(), 1, 120'000), 195);
}

TEST(Control, PpoBalancesThePole)
{
    if (full()) {
        EXPECT_GE(mean_return<CartPole>("PPO", control_ppo(), 5, 500'000), 490.04 - 2 * 6.12);
        return;
    }
    EXPECT_GE(mean_return<CartPole>("PPO", control_ppo(), 2, 100'000), 195);
}

TEST(Control, PpoSwingsTheAcrobotUp)
{
    if (full()) {
        EXPECT_GE(mean_return<Acrobot>("PPO", control_ppo(), 5, 500'000), -86.36 - 2 * 1.32);
        return;
    }
    EXPECT_GE(mean_return<Acrobot>("PPO", control_ppo(), 2, 150'000), -120);
}

}  // namespace
}  // namespace barsweep::agents
