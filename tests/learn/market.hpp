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
LearnerPlan plan_of(const Market& market, const DqnConfig& config,
                    const sim::AccountOptions& options, std::uint64_t seed, std::int64_t steps);

/// The greedy policy after all of the plan's steps.
sim::Policy learned(const Market& market, const LearnerPlan& plan);

/// One greedy run.
sim::BacktestResult run_greedy(const Market& market, const LearnerPlan& plan,
                               const sim::Policy& policy, bars::Window window,
                               sim::Wanted* wanted = nullptr);

}  // namespace barsweep::agents
