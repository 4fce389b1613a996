#pragma once
#include <algorithm>
#include <numeric>

#include "acrobot.hpp"
#include "agents/dqn_learner.hpp"
#include "agents/ppo_learner.hpp"
#include "cartpole.hpp"
#include "test_bed.hpp"

namespace barsweep::agents {

/// Hyperparameters that CleanRL's figures for control tasks are of
/// (docs.cleanrl.dev/rl-algorithms/dqn, dqn.py; its loss is the error's square, twice ours, which
/// Adam doesn't see).
inline DqnConfig control_dqn()
{
    DqnConfig config;
    config.hidden = {120, 84};
    config.learning_rate = 2.5e-4;
    config.batch = 128;
    config.buffer = 10'000;
    config.learning_starts = 10'000;
    config.update_every = 10;
    config.target_every = 500;
    config.max_grad_norm = 0;
    config.exploration_fraction = 0.5;
    config.double_q = false;
    config.loss = Loss::squared;
    config.lanes = 1;
    return config;
}

/// The same of ppo.py; its value loss is half the error's square, ours the square.
inline PpoConfig control_ppo()
{
    PpoConfig config;
    config.hidden = {64, 64};
    config.learning_rate = 2.5e-4;
    config.clip_value = 0.2;
    config.entropy = 0.01;
    config.value_weight = 0.25;
    config.rollout = 128;
    config.lanes = 4;
    config.batch = 128;
    config.epochs = 4;
    return config;
}

template <class Config>
struct LearnerOf;
template <>
struct LearnerOf<DqnConfig> {
    using type = DqnLearner;
};
template <>
struct LearnerOf<PpoConfig> {
    using type = PpoLearner;
};

/// Mean return of the last 100 episodes of learning, as CleanRL's tables have it (its rlops
/// averages the last 100 episodic returns of a run), exploration and all.
template <class Task, class Config>
double learned_return(const Config& config, std::uint64_t seed, std::int64_t steps)
{
    TestBed<Task> bed{config.lanes, seed};
    typename LearnerOf<Config>::type learner{bed.lanes(), config, seed, steps};
    while (learner.steps() < steps) learner.step();
    const auto& returns = bed.returns();
    const auto count = std::min<std::ptrdiff_t>(100, std::ssize(returns));
    return std::accumulate(returns.end() - count, returns.end(), 0.0) / static_cast<double>(count);
}

}  // namespace barsweep::agents
