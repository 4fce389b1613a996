#include "cli/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace barsweep::cli {
namespace {

using Json = nlohmann::ordered_json;

const std::string test_opened = "test_opened:";  // and the trial's number: a look at the window

Json to_note(const report::Metrics& metrics)
{
    return {{"metrics", metrics.values}, {"reasons", metrics.reasons}};
}

report::Metrics from_note(const Json& note)
{
    return {note.at("metrics"), note.at("reasons")};
}

/// Written before the window is run: an interrupted look counts as a look, and is the same one when
/// it is taken up again.
report::Metrics open_test_window(const StudyData& data, const Agent& agent,
                                 const search::TrialRecord& winner, search::Study& study,
                                 search::Ledger& ledger)
{
    const auto number = std::to_string(winner.trial.number);
    if (const auto told = study.noted("test:" + number); !told.is_null()) return from_note(told);
    if (study.noted(test_opened + number).is_null()) {
        study.note(test_opened + number, {{"datetime", search::journal::time()}});
        ledger.commit();
    }
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

std::string judgement_of(const report::Comparison& test)
{
    const char* const figure = "total_return";
    const auto won = value_of(test.winner, figure), held = value_of(test.buy_and_hold, figure);
    if (!won)
        return fmt::format("Nothing here: the winner can't be run on the test window: {}.",
                           test.winner.reasons.at(figure));
    if (!held)
        return fmt::format(
            "The winner {} money on the test window ({:+.2f} %); buy-and-hold can't be run there: "
            "{}.",
            *won > 0 ? "makes" : "loses", 100 * *won, test.buy_and_hold.reasons.at(figure));
    const char* judgement = *won <= 0 ? "Nothing here: the winner loses money on the test window"
                            : *won < *held
                                ? "The winner makes money on the test window, but less than "
                                  "buy-and-hold"
                                : "The winner beats buy-and-hold on the test window";
    return fmt::format("{} ({:+.2f} % against {:+.2f} %).", judgement, 100 * *won, 100 * *held);
}

/// How the winner was found, and what the test window is still worth.
std::string caution_of(const search::Study& study)
{
    std::size_t complete = 0, looks = 0;
    for (const auto& record : study.trials()) {
        if (record.state != search::TrialState::complete) continue;
        ++complete;
        looks += !study.noted(test_opened + std::to_string(record.trial.number)).is_null();
    }
    auto caution = fmt::format(
        " It was chosen as the best of {} complete trials, so trust the test window, not its "
        "score.",
        complete);
    if (looks > 1)
        caution += fmt::format(
            " The test window was opened for {} winners of this study in turn: the more looks, the "
            "less it proves.",
            looks);
    return caution;
}

/// A study that its time ended has said its last word on no trial but the finished ones.
std::string haste_of(const search::Study& study, cluster::Ending ending)
{
    if (ending != cluster::Ending::timeout) return "";
    const auto running = std::ranges::count(study.trials(), search::TrialState::running,
                                            &search::TrialRecord::state);
    return fmt::format(
        "Not finished: study.timeout ended it after {} of {} trials; the same command goes on. ",
        study.trials().size() - static_cast<std::size_t>(running), study.plan().trials);
}

}  // namespace

report::Summary select_winner(const StudyData& data, const Agent& agent, search::Study& study,
                              search::Ledger& ledger, cluster::Ending ending)
{
    const auto& windows = data.job.windows;
    report::Summary summary;
    summary.study = data.job.name;
    summary.score = data.job.score;
    summary.direction = study.plan().direction;
    summary.trials = study.trials();

    const auto* winner = study.best();
    if (!winner) {
        summary.verdict = haste_of(study, ending) +
                          "Nothing here: no trial has a score on the validation window.";
        return summary;
    }
    summary.best = winner->trial.number;
    summary.validation = {agent.evaluate(winner->trial, windows.validation),
                          run_buy_and_hold(data, windows.validation),
                          run_flat(data, windows.validation)};
    summary.test = {open_test_window(data, agent, *winner, study, ledger),
                    run_buy_and_hold(data, windows.test), run_flat(data, windows.test)};

    summary.verdict = haste_of(study, ending) + judgement_of(*summary.test) + caution_of(study);
    return summary;
}

}  // namespace barsweep::cli
