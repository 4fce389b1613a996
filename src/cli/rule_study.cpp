#include "cli/rule_study.hpp"

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <utility>

#include "cli/job_trial.hpp"

namespace barsweep::cli {
namespace {

constexpr kernels::i64 fully_long = 1'000'000;  // ppm

report::Metrics metrics_of(const sim::BacktestResult& result)
{
    return {result.metrics, result.reasons};
}

/// A market that leaves int64 is a fact of the window like any other: told in place of the figures.
template <class Run>
report::Metrics metrics_or_reason(const Run& run)
{
    try {
        return metrics_of(run());
    } catch (const std::overflow_error& error) {
        return {{}, {{"total_return", error.what()}}};
    }
}

/// Every decision asks for the same exposure; barriers off, so that it is held throughout.
report::Metrics run_constant(const RuleStudy& study, bars::Window window, kernels::i64 exposure_ppm)
{
    auto account = account_of(study.job.texts, study.series, study.job.ppy);
    account.rules.barrier = kernels::Barrier::off;
    const sim::Wanted wanted(static_cast<std::size_t>(window.decisions()), exposure_ppm);
    return metrics_or_reason([&] {
        return sim::run_backtest(study.market, account.rules, window, wanted, study.job.ppy);
    });
}

sim::BacktestResult run_trial(const RuleStudy& study, const search::Params& params,
                              bars::Window window)
{
    const auto trial = resolve_trial(study.job, study.series, study.job.ppy, params);
    const auto wanted = sim::rule_wants(study.market, trial.rule, window);
    return sim::run_backtest(study.market, trial.account.rules, window, wanted, study.job.ppy);
}

/// The score where it is defined; else the report says why not.
void take_score(const Job& job, const sim::BacktestResult& result, search::Report& report)
{
    report.score = std::numeric_limits<double>::quiet_NaN();
    if (result.totals.trades < job.min_trades) {
        report.reason = fmt::format("{} round trips, fewer than study.min_trades = {}",
                                    result.totals.trades, job.min_trades);
    } else if (const auto metric = result.metrics.find(job.score); metric != result.metrics.end()) {
        report.score = metric->second;
    } else {
        const auto reason = result.reasons.find(job.score);
        report.reason =
            job.score + ": " + (reason == result.reasons.end() ? "undefined" : reason->second);
    }
}

}  // namespace

RuleStudy load_rule_study(Job job, bars::BarSeries series)
{
    auto market = sim::load_market(device::Backend::cpu, series);
    return {std::move(job), std::move(series), std::move(market)};
}

bars::Window rung_window(const Job& job, int rung)
{
    const auto& rungs = job.plan.rungs;
    if (static_cast<std::size_t>(rung) + 1 == rungs.size()) return job.windows.validation;
    const auto first = job.windows.train.first;
    return {first, first + rungs[static_cast<std::size_t>(rung)]};
}

search::Report run_rung(const RuleStudy& study, const search::Trial& trial, int rung)
{
    const auto begun = std::chrono::steady_clock::now();
    const auto result = run_trial(study, trial.params, rung_window(study.job, rung));
    search::Report report;
    report.trial = trial.number;
    report.rung = rung;
    report.metrics = result.metrics;
    report.device = "cpu";
    take_score(study.job, result, report);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return report;
}

report::Metrics run_window(const RuleStudy& study, const search::Params& params,
                           bars::Window window)
{
    return metrics_or_reason([&] { return run_trial(study, params, window); });
}

report::Metrics run_buy_and_hold(const RuleStudy& study, bars::Window window)
{
    return run_constant(study, window, fully_long);
}

report::Metrics run_flat(const RuleStudy& study, bars::Window window)
{
    return run_constant(study, window, 0);
}

}  // namespace barsweep::cli
