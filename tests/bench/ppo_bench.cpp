// PPO as it runs in a slot, on as many bars as a year of minutes has: CSV lines on stdout. 54
// inputs, actor and critic of 256-256 hidden, 5 levels; rollouts of 2,048 steps, 10 epochs,
// minibatches of 64 (stable-baselines3's defaults); one thread, processor time, the best of several
// rounds. Then collection alone of 256 lanes. Usage: ppo_bench [key=value ...] of [agent].
#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <string>

#include "agents/bar_lanes.hpp"
#include "agents/ppo_learner.hpp"
#include "bench/peak.hpp"
#include "unit/agents/support.hpp"

namespace {

using namespace barsweep;

constexpr std::int64_t year = 366'710;

/// Multiply-adds of a row through a network, padding not counted: forward, and backward (weights'
/// gradients of all layers, inputs' of all but the first), two flops each.
double forward_flops(const kernels::MlpShape& shape)
{
    double sum = 0;
    for (int l = 0; l < shape.layers; ++l) sum += 2.0 * shape.sizes[l] * shape.sizes[l + 1];
    return sum;
}

double backward_flops(const kernels::MlpShape& shape)
{
    return 2 * forward_flops(shape) - 2.0 * shape.sizes[0] * shape.sizes[1];
}

/// Of a step: the actor once in its lane, the critic once at the rollout's end, both there and back
/// in every epoch.
double step_flops(const agents::PpoConfig& config, const agents::Lanes& lanes)
{
    const auto actor = agents::actor_shape(config, lanes.inputs(), lanes.levels);
    const auto critic = agents::critic_shape(config, lanes.inputs());
    const double once = forward_flops(actor) + forward_flops(critic);
    return once + static_cast<double>(config.epochs) *
                      (once + backward_flops(actor) + backward_flops(critic));
}

agents::PpoConfig config_of(std::map<std::string, std::string> values, int count, char** words)
{
    values["observation"] = "three";
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const auto at = word.find('=');
        if (at != std::string::npos) values[word.substr(0, at)] = word.substr(at + 1);
    }
    auto config = agents::parse_ppo(values, "ppo_bench");
    agents::check_together(config, "ppo_bench");
    return config;
}

struct Run {
    double seconds_a_step = std::numeric_limits<double>::infinity();
    double peak = 0;
};

/// The best of `rounds` of `steps` lock-steps each.
template <class Step>
Run best_of(int rounds, std::int64_t steps, std::int64_t lanes, Step step)
{
    Run best;
    for (int round = 0; round < rounds; ++round) {
        best.peak = std::max(best.peak, bench::fma_peak());
        const double spent = bench::seconds([&] {
            for (std::int64_t i = 0; i < steps; ++i) step();
        });
        best.seconds_a_step =
            std::min(best.seconds_a_step, spent / static_cast<double>(steps * lanes));
    }
    return best;
}

void print(const char* name, const Run& run, double flops)
{
    std::printf("%s_steps_per_second,%.0f\n%s_fma_peak_gflops,%.1f\n%s_fma_share,%.3f\n", name,
                1 / run.seconds_a_step, name, run.peak / 1e9, name,
                flops / run.seconds_a_step / run.peak);
}

}  // namespace

int main(int count, char** words)
{
    const auto set = agents::small_set(year);
    kernels::Rules rules;
    rules.initial = 1'000'000'000'000;
    rules.rate_ppb = 100'000;
    const auto plan_of = [&](const agents::PpoConfig& config) {
        return agents::BarLanesPlan{rules,          {},       config.observation, config.lanes,
                                    config.episode, {7, 0, 0}};
    };

    const auto config = config_of({{"lanes", "8"}, {"rollout", "256"}}, count, words);
    agents::BarLanes lanes{set, plan_of(config)};
    agents::PpoLearner learner{lanes.lanes(), config, 7, 1'000'000};
    const double flops = step_flops(config, lanes.lanes());
    std::printf("ppo_mflop_per_step,%.2f\n", flops / 1e6);
    print("ppo", best_of(20, config.rollout, config.lanes, [&] { learner.step(); }), flops);
    std::printf("ppo_bytes_a_slot,%ld\n", agents::ppo_bytes(config, lanes.lanes()));

    // A rollout that isn't whole before the bench is: collection alone.
    const auto wide = config_of({{"lanes", "256"}, {"rollout", "1000"}}, count, words);
    agents::BarLanes crowd{set, plan_of(wide)};
    agents::PpoLearner collector{crowd.lanes(), wide, 7, 1'000'000'000};
    const auto actor = collector.shape();
    print("collect", best_of(40, 25, wide.lanes, [&] { collector.step(); }), forward_flops(actor));
}
