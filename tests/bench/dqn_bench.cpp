// Double DQN as it runs in a slot, collection included: CSV lines on stdout. 54 inputs, 256-256
// hidden, 5 levels, batch 64, 16 lanes, an update every 4 steps, replay of 50,000, on as many bars
// as a year of minutes has; one thread, processor time, the best of several rounds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "agents/bar_lanes.hpp"
#include "agents/dqn_learner.hpp"
#include "bench/peak.hpp"
#include "unit/agents/support.hpp"

namespace {

using namespace barsweep;

constexpr double update_flops = 49.8e6;  ///< of this network and batch, padding not counted
constexpr std::int64_t year = 366'710;
constexpr std::int64_t start = 16'000;  ///< steps before the first update
constexpr std::int64_t round_steps = 8'000;

/// Keys of `[agent]` as `key=value` arguments, over the ones measured by default.
agents::DqnConfig config_of(int count, char** words)
{
    std::map<std::string, std::string> values{
        {"buffer", "50000"}, {"learning_starts", std::to_string(start)}, {"observation", "three"}};
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const auto at = word.find('=');
        if (at != std::string::npos) values[word.substr(0, at)] = word.substr(at + 1);
    }
    auto config = agents::parse_dqn(values, "dqn_bench");
    agents::check_together(config, "dqn_bench");
    return config;
}

}  // namespace

int main(int count, char** words)
{
    const auto set = agents::small_set(year);
    const auto config = config_of(count, words);
    kernels::Rules rules;
    rules.initial = 1'000'000'000'000;
    rules.rate_ppb = 100'000;
    agents::BarLanes lanes{
        set, agents::BarLanesPlan{
                 rules, {}, config.observation, config.lanes, config.episode, {7, 0, 0}}};
    agents::DqnLearner learner{lanes.lanes(), config, 7, 1'000'000};
    const auto run = [&](std::int64_t steps) {
        while (learner.steps() < steps) learner.step();
    };
    const double collecting = bench::seconds([&] { run(start); }) / static_cast<double>(start);
    std::printf("collect_steps_per_second,%.0f\n", 1 / collecting);

    double peak = 0, best = 1e9, learning = 1e9;
    for (int round = 0; round < 12; ++round) {
        peak = std::max(peak, bench::fma_peak());
        const auto updates = learner.updates();
        const double spent = bench::seconds([&] { run(learner.steps() + round_steps); });
        const auto made = static_cast<double>(learner.updates() - updates);
        best = std::min(best, spent / made);
        learning = std::min(learning, (spent - round_steps * collecting) / made);
    }
    const double steps = static_cast<double>(config.update_every) / best;
    std::printf("steps_per_second,%.0f\nupdates_per_second,%.0f\nupdate_alone_us,%.1f\n", steps,
                1 / best, 1e6 * learning);
    std::printf("fma_peak_gflops,%.1f\nfma_share,%.3f\n", peak / 1e9, update_flops / best / peak);
    std::printf("bytes_a_slot,%lld\n",
                static_cast<long long>(agents::dqn_bytes(config, lanes.lanes())));
}
