#pragma once
#include "agents/learner.hpp"
#include "bars/synthetic.hpp"
#include "sim/account_options.hpp"

namespace barsweep::agents {

/// Bars and features as a rank finds them in its store.
struct Stored {
    bars::BarSeries series;
    std::vector<float> features;  ///< [rows, bars::feature_count], not normalised
};

/// The product's whole path: CSV, import, store, and back from it.
Stored ingest(const bars::BarSeries& series);

/// What a job's trials share, windows by the default shares of `[data]`.
struct Market {
    bars::BarSeries series;
    bars::Split windows;
    TrainingSet set;
};

Market market_of(Stored stored);

/// A fault planted on purpose: every bar shows the features of the bar after it.
Stored with_look_ahead(Stored stored);

/// 10,000 of money and a fixed 10 units of a price near 100: a tenth of the money at work, so that
/// profit moves equity and exposure, which the policy sees, inside what exploring accounts live.
/// `spread`: price units, the full one.
sim::AccountOptions account_of(Decimal spread);

/// A trial that learns for `steps`.
LearnerPlan plan_of(const Market& market, const AgentConfig& config,
                    const sim::AccountOptions& options, std::uint64_t seed, std::int64_t steps);

/// The greedy policy after all of the plan's steps.
sim::Policy learned(const Market& market, const LearnerPlan& plan);

/// One greedy run.
sim::BacktestResult run_greedy(const Market& market, const LearnerPlan& plan,
                               const sim::Policy& policy, bars::Window window,
                               sim::Wanted* wanted = nullptr);

/// Profit on a test window, which nothing was fitted on, as a share of the best.
struct Share {
    double made = 0;      ///< by the account
    double expected = 0;  ///< on ou bars: without the luck of the noise, of either
    std::int64_t fills = 0;
};

/// One trial on `barsweep synth --kind sine --seed N`, against what hindsight makes
/// (support/optimum.hpp). The spread is a twentieth of the way from trough to crest: an agent that
/// trades on the noise pays more than it wins.
/// `reward_scale` above 0: instead of the automatic one.
Share share_of_sine(const AgentConfig& config, std::uint64_t seed, std::int64_t steps,
                    double reward_scale = 0);

/// One trial on 100,000 bars that are pulled back to the start price, by a tenth of the distance a
/// bar, against who knows the process but not its noise (support/causal_optimum.hpp). The spread is
/// a fifth of a bar's deviation. Features look back 240 bars, so they show where the start price
/// is; with the default pull, a fiftieth, they hide it.
Share share_of_ou(const AgentConfig& config, std::uint64_t seed, std::int64_t steps);

/// Agents for noise: what a step brings is mostly luck, which a large network that sees a bar often
/// remembers, and a position is worth holding for tens of bars, not hundreds.
DqnConfig ou_dqn();
DqnConfig wide_ou_dqn(bool all_actions);  ///< wants all actions more: few bars, many updates
PpoConfig ou_ppo();

}  // namespace barsweep::agents
