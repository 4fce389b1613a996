#include <fmt/format.h>
#include <gtest/gtest.h>

#include "agents/dqn_learner.hpp"
#include "device/launch.hpp"
#include "kernels/network.hpp"
#include "support/test_bed.hpp"

namespace barsweep::agents {
namespace {

/// H. van Hasselt, "Double Q-learning", NIPS 2010, as R. Sutton and A. Barto tell it (Reinforcement
/// Learning, 2nd edition, example 6.7): from A one action ends the episode with 0, the others lead
/// to B, where every action ends it with a reward of mean -0.1 and deviation 1. Who takes the
/// largest of noisy estimates for the value of B thinks that going there pays.
struct NoisyChoice {
    static constexpr int actions = 8;
    static constexpr int observations = 2;
    static constexpr std::int64_t most_steps = 10;
    static constexpr double start_width = 0.5;

    std::array<double, 2> state{};  ///< above 1: at B; an episode's luck, uniform in +-0.5

    struct Outcome {
        double reward;
        bool terminated;
    };

    Outcome step(int action)
    {
        if (state[0] > 1) return {-0.1 + std::sqrt(12.0) * state[1], true};
        if (action == 0) return {0, true};
        state[0] = 2;
        return {0, false};
    }

    void observe(float* out) const
    {
        out[0] = state[0] > 1 ? 0 : 1;
        out[1] = state[0] > 1 ? 1 : 0;
    }
};

/// The target is copied less often than replay is renewed, so the two networks know different luck.
/// What going to B is worth to the network on average while it learns; in truth -0.1.
double worth_of_going(bool double_q, std::uint64_t seed)
{
    DqnConfig config;
    config.hidden = {32};
    config.learning_rate = 3e-3;
    config.gamma = 1;
    config.batch = 32;
    config.buffer = 200;
    config.learning_starts = 100;
    config.update_every = 4;
    config.target_every = 1'000;
    config.epsilon_start = config.epsilon_end = 1;
    config.double_q = double_q;
    config.loss = Loss::squared;
    config.lanes = 4;
    TestBed<NoisyChoice> bed{4, seed};
    DqnLearner learner{bed.lanes(), config, seed, 20'000};
    const float at_a[] = {1, 0};
    std::vector<float> work(static_cast<std::size_t>(kernels::network_work(learner.shape(), 1)));
    double sum = 0;
    int times = 0;
    while (learner.steps() < 20'000) {
        learner.step();
        if (learner.steps() < 4'000 || learner.steps() % 100 != 0) continue;
        kernels::ForwardArgs pass;
        pass.shape = learner.shape();
        pass.parameters = learner.parameters();
        pass.x = {at_a, 2};
        pass.rows = 1;
        pass.work = {work.data(), static_cast<kernels::i64>(work.size())};
        device::forward(device::Backend::cpu, {&pass, 1});
        for (int going = 1; going < NoisyChoice::actions; ++going) {
            sum += kernels::outputs_of(learner.shape(), work.data())[0][going];
            ++times;
        }
    }
    return sum / times;
}

TEST(Overestimation, IsWhatDoubleQLearningTakesAway)
{
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const double single = worth_of_going(false, seed), twice = worth_of_going(true, seed);
        fmt::print("seed {}: {:.3f} by one network, {:.3f} by two, -0.1 in truth\n", seed, single,
                   twice);
        EXPECT_GT(single, 0.02);
        EXPECT_LT(twice, 0);
        EXPECT_LT(twice, single - 0.03);
    }
}

}  // namespace
}  // namespace barsweep::agents
