#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

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

/// A trial that learns within a few hundred steps.
inline LearnerPlan small_plan(std::int64_t trial = 0)
{
    LearnerPlan plan;
    plan.config.hidden = {16, 12};
    plan.config.batch = 8;
    plan.config.buffer = 100;
    plan.config.learning_starts = 32;
    plan.config.target_every = 40;
    plan.config.lanes = 4;
    plan.config.episode = 30;
    plan.rules.initial = 1'000'000'000'000;
    plan.rules.rate_ppb = 100'000;
    plan.key = {7, trial, 0};
    plan.last_rung = 2'000;
    return plan;
}

inline Learner& run_to(Learner& learner, std::int64_t steps)
{
    while (learner.steps() < steps) learner.step();
    return learner;
}

/// Everything a learner is.
inline std::string bytes_of(const Learner& learner)
{
    std::ostringstream stream;
    learner.save(stream);
    return std::move(stream).str();
}

}  // namespace barsweep::agents
