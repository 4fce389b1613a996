#include "support/control.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace barsweep::agents {
namespace {

/// Seeds 1 to 5 in the long form. 500,000 steps are those of CleanRL's figures, which the mean may
/// fall short of by two of their deviations.
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

/// Seen: 499.9, 491.1, 498.1, 500.0, 476.3, mean 493.1, deviation 10; by chance the mean of five
/// would fail beyond 8 of its deviations. Short form: 305 and more; who doesn't learn stays
/// near 22.
TEST(Control, DqnBalancesThePole)
{
    if (full()) {
        EXPECT_GE(mean_return<CartPole>("DQN", control_dqn(), 5, 500'000), 488.69 - 2 * 16.11);
    } else {
        EXPECT_GE(mean_return<CartPole>("DQN", control_dqn(), 1, 120'000), 195);
    }
}

/// Seen: 500.0 five times.
TEST(Control, PpoBalancesThePole)
{
    EXPECT_GE(mean_return<CartPole>("PPO", control_ppo(), full() ? 5 : 1, 500'000),
              490.04 - 2 * 6.12);
}

/// Seen: -83.8, -83.1, -84.4, -84.3, -84.7, mean -84.0, deviation 0.6; one seed would fail beyond 8
/// deviations.
TEST(Control, PpoSwingsTheAcrobotUp)
{
    EXPECT_GE(mean_return<Acrobot>("PPO", control_ppo(), full() ? 5 : 1, 500'000),
              -86.36 - 2 * 1.32);
}

}  // namespace
}  // namespace barsweep::agents
