#include "cli/selection.hpp"

#include <fmt/format.h>

namespace barsweep::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_note(const report::Metrics& metrics)
{
    return {{"metrics", metrics.values}, {"reasons", metrics.reasons}};
}

report::Metrics from_note(const Json& note)
{
    return {note.at("metrics"), note.at("reasons")};
}

/// Written before the window is run: an interrupted look counts as a look.
report::Metrics open_test_window(const StudyData& data, const Agent& agent,
                                 const search::TrialRecord& winner, search::Study& study,
                                 search::Ledger& ledger)
{
    const auto number = std::to_string(winner.trial.number);
    if (const auto told = study.noted("test:" + number); !told.is_null()) return from_note(told);
    study.note("test_opened:" + number, {{"datetime", search::journal::time()}});
    ledger.commit();
    const auto metrics = agent.evaluate(winner.trial, data.job.windows.test);
    study.note("test:" + number, to_note(metrics));
    ledger.commit();
    return metrics;
}

std::optional<double> value_of(const report::Metrics& metrics, const char* name)
{
    const auto found = metrics.values.find(name);
    if (found == metrics.values.end()) return std::nullopt;
    return found->second;
}

std::string verdict_of(const report::Comparison& test, std::size_t complete)
{
    const auto won = value_of(test.winner, "total_return").value_or(0);
    const auto held = value_of(test.buy_and_hold, "total_return").value_or(0);
    const auto chosen = fmt::format(
        "It was chosen as the best of {} complete trials, so trust the test window, not its score.",
        complete);
    const char* judgement = won <= 0 ? "Nothing here: the winner loses money on the test window"
                            : won < held
                                ? "The winner makes money on the test window, but less than "
                                  "buy-and-hold"
                                : "The winner beats buy-and-hold on the test window";
    return fmt::format("{} ({:+.2f} % against {:+.2f} %). {}", judgement, 100 * won, 100 * held,
                       chosen);
}

}  // namespace

report::Summary select_winner(const StudyData& data, const Agent& agent, search::Study& study,
                              search::Ledger& ledger)
{
    const auto& windows = data.job.windows;
    report::Summary summary;
    summary.study = data.job.name;
    summary.score = data.job.score;
    summary.direction = study.plan().direction;
    summary.trials = study.trials();

    const auto* winner = study.best();
    if (!winner) {
        summary.verdict = "Nothing here: no trial has a score on the validation window.";
        return summary;
    }
    summary.best = winner->trial.number;
    summary.validation = {agent.evaluate(winner->trial, windows.validation),
                          run_buy_and_hold(data, windows.validation),
                          run_flat(data, windows.validation)};
    summary.test = {open_test_window(data, agent, *winner, study, ledger),
                    run_buy_and_hold(data, windows.test), run_flat(data, windows.test)};

    std::size_t complete = 0;
    for (const auto& record : summary.trials)
        complete += record.state == search::TrialState::complete;
    summary.verdict = verdict_of(*summary.test, complete);
    return summary;
}

}  // namespace barsweep::cli
