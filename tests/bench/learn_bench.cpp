// That agents learn, in figures: rows of scripts/bench on stdout. `bench_learn PART`:
//   control   CartPole and Acrobot by CleanRL's hyperparameters, 500,000 steps, 5 seeds
//   bars      shares of the best on sine and ou bars, 5 seeds
//   actions   the share on ou bars with and without all_actions, by steps
//   ablation  sine's with and without what is said to help: reward scale, observation, episodes
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>

#include "learn/market.hpp"
#include "support/control.hpp"

using namespace barsweep;
using namespace barsweep::agents;

namespace {

constexpr std::uint64_t seeds = 5;
constexpr std::int64_t control_steps = 500'000;
constexpr std::int64_t ablation_steps = 20'000;

/// Mean over seeds 1 to 5 of `one`, and its deviation between them.
void row(const std::string& who, const char* unit, const std::string& note, auto one)
{
    double sum = 0, squares = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const double x = one(seed);
        sum += x;
        squares += x * x;
    }
    const double n = seeds, mean = sum / n;
    const double deviation = std::sqrt(std::max(0.0, squares / n - mean * mean) * n / (n - 1));
    std::printf("learn,barsweep: %s,%.3f,%s,\"+- %.3f over 5 seeds; %s\"\n", who.c_str(), mean,
                unit, deviation, note.c_str());
    std::fflush(stdout);
}

void control()
{
    row("DQN, CartPole-v1", "return", "CleanRL 488.69 +- 16.11",
        [](auto seed) { return learned_return<CartPole>(control_dqn(), seed, control_steps); });
    row("PPO, CartPole-v1", "return", "CleanRL 490.04 +- 6.12",
        [](auto seed) { return learned_return<CartPole>(control_ppo(), seed, control_steps); });
    row("PPO, Acrobot-v1", "return", "CleanRL -86.36 +- 1.32",
        [](auto seed) { return learned_return<Acrobot>(control_ppo(), seed, control_steps); });
}

void shares()
{
    row("DQN, sine", "share of the optimum", "40,000 steps; defaults",
        [](auto seed) { return share_of_sine(DqnConfig{}, seed, 40'000).made; });
    row("PPO, sine", "share of the optimum", "120,000 steps; defaults",
        [](auto seed) { return share_of_sine(PpoConfig{}, seed, 120'000).made; });
    row("DQN, ou", "share of the causal optimum", "100,000 steps; learn/market.hpp",
        [](auto seed) { return share_of_ou(ou_dqn(), seed, 100'000).expected; });
    row("PPO, ou", "share of the causal optimum", "200,000 steps; learn/market.hpp",
        [](auto seed) { return share_of_ou(ou_ppo(), seed, 200'000).expected; });
}

void all_actions()
{
    for (const std::int64_t steps : {15'000, 30'000, 60'000}) {
        for (const bool all : {false, true}) {
            row(std::string{all ? "all actions" : "the one taken"}, "share of the causal optimum",
                "ou; DQN; " + std::to_string(steps) + " steps",
                [&](auto seed) { return share_of_ou(wide_ou_dqn(all), seed, steps).expected; });
        }
    }
}

void ablation()
{
    const auto told = [](const std::string& what, const DqnConfig& config, double scale = 0) {
        row(what, "share of the optimum", "sine; DQN; 20,000 steps",
            [&](auto seed) { return share_of_sine(config, seed, ablation_steps, scale).made; });
    };
    told("defaults", {});
    told("reward scale 1", {}, 1);
    for (const auto& [name, view] :
         {std::pair{"three", kernels::AccountView::three}, {"seed", kernels::AccountView::seed}}) {
        DqnConfig config;
        config.observation = view;
        told(std::string{"observation "} + name, config);
    }
    for (const std::int64_t episode : {128, 512}) {
        DqnConfig config;
        config.episode = episode;
        told("episodes of " + std::to_string(episode), config);
    }
}

}  // namespace

int main(int count, char** words)
try {
    const std::string part = count == 2 ? words[1] : "";
    if (part == "control") return control(), 0;
    if (part == "bars") return shares(), 0;
    if (part == "actions") return all_actions(), 0;
    if (part == "ablation") return ablation(), 0;
    std::fputs("usage: bench_learn control|bars|actions|ablation\n", stderr);
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_learn: %s\n", error.what());
    return 1;
}
