#pragma once
#include "bars/bar_series.hpp"
#include "cli/job_texts.hpp"
#include "search/space.hpp"
#include "sim/account_options.hpp"
#include "sim/backtest.hpp"

namespace barsweep::cli {

/// [agent] and [account] of a job, or of one trial's overlay.
sim::Rule rule_of(const JobTexts& texts);
sim::ResolvedAccount account_of(const JobTexts& texts, const bars::BarSeries& series, double ppy);

/// Checks the job's own [agent] and [account], and each end and each choice of every parameter:
/// what fails here would fail in every trial that drew it, whatever else it drew. Combinations stay
/// the trial's own matter, but for averages of which no pair can be right.
void check_trials(const JobTexts& texts, const search::Space& space, const bars::BarSeries& series,
                  double ppy);

/// Least and largest whole number that `key` takes over all trials.
struct Span {
    std::int64_t low, high;
};
Span span_of(const JobTexts& texts, const search::Space& space, const std::string& key);

}  // namespace barsweep::cli
