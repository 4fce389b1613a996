#include <chrono>

#include "cli/agent.hpp"

namespace barsweep::cli {
namespace {

/// The bars that a rung is scored on: the first `bars` decisions of the training window, at the
/// last rung the validation window (SEMANTICS 8, Rules).
bars::Window rung_window(const Job& job, int rung)
{
    const auto& rungs = job.plan.rungs;
    if (static_cast<std::size_t>(rung) + 1 == rungs.size()) return job.windows.validation;
    const auto first = job.windows.train.first;
    return {first, first + rungs[static_cast<std::size_t>(rung)]};
}

sim::BacktestResult run_trial(const StudyData& data, const search::Params& params,
                              bars::Window window)
{
    const auto trial = resolve_trial(data.job, data.series, data.job.ppy, params);
    const auto wanted = sim::rule_wants(data.market(), trial.rule, window);
    return sim::run_backtest(data.market(), trial.account.rules, window, wanted, data.job.ppy);
}

search::Report run_rung(const StudyData& data, const cluster::Task& task)
{
    const auto begun = std::chrono::steady_clock::now();
    const auto result = run_trial(data, task.trial.params, rung_window(data.job, task.rung));
    search::Report report;
    report.metrics = result.metrics;
    report.device = "cpu";
    auto [score, reason] = score_of(data.job, result);
    report.score = score;
    report.reason = std::move(reason);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return report;
}

}  // namespace

Agent make_rule_agent(const StudyData& data)
{
    Agent agent;
    agent.run = [&data](const cluster::Task& task) { return run_rung(data, task); };
    agent.cost = [&data](const search::Trial&, int rung) {
        return static_cast<double>(rung_window(data.job, rung).decisions());
    };
    agent.bars = [&data](int rung) { return rung_window(data.job, rung).decisions(); };
    agent.evaluate = [&data](const search::Trial& trial, bars::Window window) {
        return metrics_or_reason([&] { return run_trial(data, trial.params, window); });
    };
    return agent;
}

Agent make_agent(const StudyData& data, const std::filesystem::path& folder, std::stop_token stop)
{
    return data.job.kind == AgentKind::rule ? make_rule_agent(data)
                                            : make_learning_agent(data, folder, std::move(stop));
}

}  // namespace barsweep::cli
