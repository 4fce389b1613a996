#pragma once
#include <functional>
#include <string>

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

/// The plant: shows the features of bar t+1 at t.
Stored with_look_ahead(Stored stored);

/// A trial's plan with the account of `options` and 1 unit's worth of everything else by default.
LearnerPlan plan_of(const Market& market, const DqnConfig& config,
                    const sim::AccountOptions& options, std::uint64_t seed, std::int64_t steps);

/// Learns all of the plan's steps.
sim::Policy learned(const Market& market, const LearnerPlan& plan);

/// One greedy run.
sim::BacktestResult run_greedy(const Market& market, const LearnerPlan& plan,
                               const sim::Policy& policy, bars::Window window,
                               sim::Wanted* wanted = nullptr);

}  // namespace barsweep::agents
