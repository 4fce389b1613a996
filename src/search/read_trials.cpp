#include "search/read_trials.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "search/journal.hpp"
#include "search/journal_trial.hpp"
#include "search/json_text.hpp"

namespace barsweep::search {
namespace {

using nlohmann::json;

void take_report(TrialRecord& record, const std::string& line)
{
    if (!journal::find_rung(line)) return;
    auto report = journal::parse_rung(line);
    record.seconds += report.seconds;
    if (report.replicate == 0) record.last = std::move(report);
}

void take(std::vector<TrialRecord>& trials, const std::string& line)
{
    const auto record = json::parse(strict_json(line));
    const auto op = static_cast<journal::Op>(record.at("op_code").get<int>());
    const auto trial = [&]() -> TrialRecord& {
        return trials.at(record.at("trial_id").get<std::size_t>());
    };
    switch (op) {
        case journal::Op::create_trial:
            trials.emplace_back();
            trials.back().trial.number = static_cast<std::int64_t>(trials.size()) - 1;
            trials.back().foreign = record.at("worker_id") != journal::worker;
            take_creation(trials.back(), record);
            break;
        case journal::Op::trial_attribute:
            take_report(trial(), line);
            [[fallthrough]];
        case journal::Op::parameter:
        case journal::Op::intermediate:
        case journal::Op::finish:
            take_record(trial(), op, record);
            break;
        default:
            break;  // of the study, or of another program
    }
}

/// Hands out the whole lines; what `take` throws is told as a fault of the line.
template <class Take>
void each_line(const std::filesystem::path& path, const Take& take)
{
    std::ifstream stream{path, std::ios::binary};
    if (!stream)
        throw UserError(
            {path.string(), "a ledger that can be read", "none", "name the folder of a study"});
    std::string line;
    for (std::size_t at = 1; std::getline(stream, line) && !stream.eof(); ++at) try {
            take(line);
        } catch (const std::exception&) {
            throw UserError(
                {path.string() + ":" + std::to_string(at), "a whole journal record",
                 line.substr(0, 200),
                 "restore that line, or run `barsweep sweep` on the folder for a way out"});
        }
}

}  // namespace

std::vector<TrialRecord> read_trials(const std::filesystem::path& path)
{
    std::vector<TrialRecord> trials;
    each_line(path, [&](const std::string& line) { take(trials, line); });
    return trials;
}

Recorded read_recorded(const std::filesystem::path& path, std::int64_t trial)
{
    const auto trials = read_trials(path);
    if (trial < 0 || trial >= static_cast<std::int64_t>(trials.size()))
        throw UserError({path.string(), "a trial " + std::to_string(trial),
                         std::to_string(trials.size()) + " of them, from 0",
                         "name one that `barsweep report` shows"});
    Recorded recorded{trials[static_cast<std::size_t>(trial)].trial, {}, {}};
    each_line(path, [&](const std::string& line) {
        const auto heading = journal::heading(line);
        if (heading && heading->ours && heading->op == journal::Op::study_attribute) {
            const auto record = nlohmann::ordered_json::parse(strict_json(line));
            for (const auto& [key, value] : record.at("user_attr").items())
                recorded.study[key] = value;
        }
        if (const auto found = journal::find_rung(line); found && found->trial == trial)
            recorded.rungs.push_back(journal::parse_rung(line));
    });
    if (recorded.rungs.empty())
        throw UserError({path.string(), "a report of trial " + std::to_string(trial), "none yet",
                         "wait until `barsweep sweep` has come so far"});
    return recorded;
}

}  // namespace barsweep::search
