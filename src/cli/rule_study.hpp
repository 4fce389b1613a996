#pragma once
#include "bars/bar_series.hpp"
#include "cli/job_options.hpp"
#include "cluster/coordinator.hpp"
#include "report/summary.hpp"
#include "search/trial.hpp"
#include "sim/market.hpp"

namespace barsweep::cli {

/// What every rank of a sweep of rules holds: the job and its market, loaded once. Its functions
/// may be called from several threads at once.
struct RuleStudy {
    Job job;
    bars::BarSeries series;
    sim::Market market;
};

RuleStudy load_rule_study(Job job, bars::BarSeries series);

/// The bars that rung `rung` is scored on: the first `bars` decisions of the training window, at
/// the last rung the validation window (SEMANTICS 8, Rules).
bars::Window rung_window(const Job& job, int rung);

/// One rung of a trial: score, metrics, computing time. Throws UserError for a configuration that
/// can't be, std::runtime_error for an account that stopped (overflow); the trial fails with it.
search::Report run_rung(const RuleStudy& study, const search::Trial& trial, int rung);

/// The metrics of a trial over any window; of an account that leaves int64 there, only why, as the
/// reason of total_return. The two below likewise.
report::Metrics run_window(const RuleStudy& study, const search::Params& params,
                           bars::Window window);

/// What costs no thought over the same window and account: always long (no barriers), and no trade.
report::Metrics run_buy_and_hold(const RuleStudy& study, bars::Window window);
report::Metrics run_flat(const RuleStudy& study, bars::Window window);

}  // namespace barsweep::cli
