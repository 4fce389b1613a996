#include "market.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "bars/bar_store.hpp"
#include "bars/csv_import.hpp"
#include "support/causal_optimum.hpp"
#include "support/optimum.hpp"

namespace barsweep::agents {

Stored ingest(const bars::BarSeries& series)
{
    std::string name = std::filesystem::temp_directory_path() / "barsweep-learn-XXXXXX";
    const std::filesystem::path folder = ::mkdtemp(name.data());
    bars::write_csv(folder / "bars.csv", series);
    const auto import = bars::import_csv({folder / "bars.csv"}, {});
    bars::write_store(folder / "bars.h5", import.series, import.info);
    Stored stored{bars::read_store(folder / "bars.h5"), bars::read_features(folder / "bars.h5")};
    std::filesystem::remove_all(folder);
    return stored;
}

Market market_of(Stored stored)
{
    bars::SplitOptions split;
    split.warmup = 240;
    const auto fitted_on = bars::split_windows(stored.series, split).train;
    split.purge = sim::AccountOptions{}.hold;
    const auto windows = bars::split_windows(stored.series, split);
    auto set = make_training_set(sim::load_market(device::Backend::cpu, stored.series),
                                 {device::Backend::cpu, std::span<const float>{stored.features}},
                                 bars::feature_count, fitted_on, windows.train,
                                 automatic_reward_scale(stored.series, fitted_on));
    return {std::move(stored.series), windows, std::move(set)};
}

Stored with_look_ahead(Stored stored)
{
    auto& features = stored.features;
    std::move(features.begin() + bars::feature_count, features.end(), features.begin());
    return stored;
}

sim::AccountOptions account_of(Decimal spread)
{
    sim::AccountOptions options;
    options.spread = spread;
    options.unit = Decimal{10, 0};
    return options;
}

LearnerPlan plan_of(const Market& market, const AgentConfig& config,
                    const sim::AccountOptions& options, std::uint64_t seed, std::int64_t steps)
{
    LearnerPlan plan;
    plan.config = config;
    plan.rules =
        sim::resolve_account(options, market.series, bars::measured_ppy(market.series), "test")
            .rules;
    plan.key.seed = seed;
    plan.last_rung = steps;
    return plan;
}

sim::Policy learned(const Market& market, const LearnerPlan& plan)
{
    Learner learner{market.set, plan};
    while (learner.steps() < plan.last_rung) learner.step();
    return learner.policy();
}

sim::BacktestResult run_greedy(const Market& market, const LearnerPlan& plan,
                               const sim::Policy& policy, bars::Window window, sim::Wanted* wanted)
{
    return sim::run_policy(market.set.market, market.set.features, policy, plan.rules, window,
                           bars::measured_ppy(market.series), nullptr, wanted);
}

Share share_of_sine(const AgentConfig& config, std::uint64_t seed, std::int64_t steps,
                    double reward_scale)
{
    bars::SyntheticOptions options;
    options.kind = bars::SyntheticKind::sine;
    options.seed = seed;
    auto market = market_of(ingest(bars::synthesize(options)));
    if (reward_scale > 0) market.set.reward_scale = reward_scale;
    const auto plan = plan_of(market, config, account_of({2, 1}), seed, steps);
    const auto optimum = sim::optimum_of(market.set.market, plan.rules, market.windows.test);
    const auto& totals =
        run_greedy(market, plan, learned(market, plan), market.windows.test).totals;
    const double share = kernels::ratio(totals.final_equity - plan.rules.initial, optimum.profit);
    return {share, share, totals.fills};
}

DqnConfig ou_dqn()
{
    DqnConfig config;
    config.hidden = {32, 32};
    config.learning_rate = 1e-4;
    config.gamma = 0.95;
    config.update_every = 8;
    config.all_actions = true;
    return config;
}

DqnConfig wide_ou_dqn(bool all_actions)
{
    DqnConfig config;
    config.hidden = {64, 64};
    config.learning_rate = 1e-4;
    config.gamma = 0.9;
    config.all_actions = all_actions;
    return config;
}

PpoConfig ou_ppo()
{
    PpoConfig config;
    config.hidden = {64, 64};
    config.gamma = 0.9;
    return config;
}

Share share_of_ou(const AgentConfig& config, std::uint64_t seed, std::int64_t steps)
{
    bars::SyntheticOptions options;
    options.kind = bars::SyntheticKind::ou;
    options.seed = seed;
    options.bars = 100'000;
    options.reversion = 0.1;
    const auto market = market_of(ingest(bars::synthesize(options)));
    const auto window = market.windows.test;
    const auto plan = plan_of(market, config, account_of({2, 2}), seed, steps);
    const auto causal = sim::causal_optimum(options, plan.rules);
    const auto best = sim::causal_levels(causal, market.set.market, window);
    const auto made = [&](const sim::Wanted& wanted) {
        const auto run = sim::run_backtest(market.set.market, plan.rules, window, wanted, 1);
        return static_cast<double>(run.totals.final_equity - plan.rules.initial);
    };
    sim::Wanted wanted;
    const auto fills =
        run_greedy(market, plan, learned(market, plan), window, &wanted).totals.fills;
    return {made(wanted) / made(best),
            sim::expected_profit(causal, market.set.market, window, wanted) /
                sim::expected_profit(causal, market.set.market, window, best),
            fills};
}

}  // namespace barsweep::agents
