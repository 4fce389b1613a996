// One trial of double DQN over the bars of a store, as scripts/bench_peers/learn.py has
// stable-baselines3 do it: 54 inputs, 256-256 hidden, 5 levels, batch 64, an update every 4 steps,
// one thread. Rows of scripts/bench on stdout, by the fastest of three.
// Usage: bench_learn STORE.h5 STEPS
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <string>

#include "agents/learner.hpp"
#include "bars/bar_store.hpp"
#include "bars/features.hpp"

using namespace barsweep;

namespace {

agents::TrainingSet load(const std::string& store)
{
    constexpr std::int64_t warmup = 240;
    const auto series = bars::read_store(store);
    const bars::Window all{warmup, static_cast<std::int64_t>(series.size()) - 1};
    return agents::make_training_set(
        sim::load_market(device::Backend::cpu, series),
        {device::Backend::cpu, std::span<const float>{bars::read_features(store)}},
        bars::feature_count, all, all, agents::automatic_reward_scale(series, all));
}

agents::LearnerPlan plan_of(std::int64_t trial, std::int64_t steps)
{
    agents::LearnerPlan plan;
    plan.config.learning_starts = 1'000;
    plan.config.buffer = 50'000;
    plan.config.target_every = 1'000;
    plan.config.observation = kernels::AccountView::three;
    plan.rules.initial = 1'000'000'000'000;
    plan.rules.rate_ppb = 100'000;  // 1 bp of the notional
    plan.key = {1, trial, 0};
    plan.last_rung = steps;
    return plan;
}

/// Processor time, so that a busy machine counts little.
double processor_seconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void run(const agents::TrainingSet& set, std::int64_t steps)
{
    double best = std::numeric_limits<double>::infinity();
    std::int64_t updates = 0;
    for (int trial = 0; trial < 3; ++trial) {
        const double start = processor_seconds();
        agents::Learner learner{set, plan_of(trial, steps)};
        while (learner.steps() < steps) learner.step();
        best = std::min(best, processor_seconds() - start);
        updates = learner.updates();
    }
    constexpr const char* note = "double DQN; whole ticks; 54-256-256-5; batch 64";
    std::printf("dqn,barsweep,%.0f,steps/s,%s\n", static_cast<double>(steps) / best, note);
    std::printf("dqn,barsweep,%.0f,updates/s,%s\n", static_cast<double>(updates) / best, note);
}

}  // namespace

int main(int argc, char** argv)
try {
    if (argc != 3) {
        std::fputs("usage: bench_learn STORE.h5 STEPS\n", stderr);
        return 2;
    }
    run(load(argv[1]), std::stoll(argv[2]));
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_learn: %s\n", error.what());
    return 1;
}
