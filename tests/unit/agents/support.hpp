#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "agents/learner.hpp"
#include "bars/synthetic.hpp"

namespace barsweep::agents {

/// The sanitizers' allocators end a program where memory lacks, and don't tell how much is in use.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool own_allocator = true;
#else
inline constexpr bool own_allocator = false;
#endif

/// A folder of one test, gone with it.
class Folder {
public:
    Folder()
    {
        std::string name = std::filesystem::temp_directory_path() / "barsweep-test-XXXXXX";
        path_ = ::mkdtemp(name.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

inline std::string file_bytes(const std::filesystem::path& path)
{
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline TrainingSet small_set(std::int64_t bars = 2'000, std::uint64_t seed = 1)
{
    bars::SyntheticOptions options;
    options.kind = bars::SyntheticKind::sine;
    options.bars = bars;
    options.seed = seed;
    const auto series = bars::synthesize(options);
    const bars::Window train{240, bars - 1};
    const auto stored = bars::compute_features(series);
    return make_training_set(sim::load_market(device::Backend::cpu, series),
                             {device::Backend::cpu, std::span<const float>{stored}},
                             bars::feature_count, train, train, 1 / options.volatility);
}

/// Trials that learn within a few hundred steps.
inline LearnerPlan plan_of(AgentConfig config, std::int64_t trial)
{
    LearnerPlan plan;
    plan.config = std::move(config);
    plan.rules.initial = 1'000'000'000'000;
    plan.rules.rate_ppb = 100'000;
    plan.key = {7, trial, 0};
    plan.last_rung = 2'000;
    return plan;
}

inline LearnerPlan small_plan(std::int64_t trial = 0)
{
    DqnConfig config;
    config.hidden = {16, 12};
    config.batch = 8;
    config.buffer = 100;
    config.learning_starts = 32;
    config.target_every = 40;
    config.lanes = 4;
    config.episode = 30;
    return plan_of(config, trial);
}

inline DqnConfig& dqn(LearnerPlan& plan)
{
    return std::get<DqnConfig>(plan.config);
}

/// Everything that a published DQN has beside.
inline LearnerPlan rainbow_plan(std::int64_t trial = 0)
{
    auto plan = small_plan(trial);
    auto& config = dqn(plan);
    config.dueling = config.prioritised = config.layer_norm = true;
    config.n_step = 3;
    config.distribution = kernels::Distribution::c51;
    config.atoms = 11;
    config.activation = kernels::Activation::silu;
    return plan;
}

inline LearnerPlan small_ppo_plan(std::int64_t trial = 0)
{
    PpoConfig config;
    config.hidden = {16, 12};
    config.batch = 8;
    config.rollout = 6;
    config.epochs = 2;
    config.lanes = 4;
    config.episode = 30;
    return plan_of(config, trial);
}

/// One of each.
inline std::vector<LearnerPlan> small_plans()
{
    auto all = small_plan(3);
    dqn(all).all_actions = true;
    dqn(all).tau = 0.01;
    return {small_plan(1), rainbow_plan(2), all, small_ppo_plan(4)};
}

inline Learner& run_to(Learner& learner, std::int64_t steps)
{
    while (learner.steps() < steps) learner.step();
    return learner;
}

/// Everything a learner is.
inline std::string bytes_of(const Learner& learner)
{
    return learner.save();
}

}  // namespace barsweep::agents
