#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "search/study.hpp"

namespace barsweep::report {

/// The metrics of one run over one window, as `sim` names them.
struct Metrics {
    std::map<std::string, double> values;        ///< finite ones
    std::map<std::string, std::string> reasons;  ///< why the others are undefined
};

/// One window: the winner beside what costs no thought.
struct Comparison {
    Metrics winner, buy_and_hold, flat;
};

/// What a sweep has to say. `barsweep sweep` fills it, writes it beside the ledger, and prints it;
/// `barsweep report` reads it again.
struct Summary {
    std::string study;
    std::string score;  ///< name of the metric that selects
    search::Direction direction = search::Direction::maximize;
    std::vector<search::TrialRecord> trials;
    std::optional<std::int64_t> best;  ///< trial number; none: no trial passed selection
    std::optional<Comparison> validation, test;
    std::string verdict;     ///< one sentence
    double seconds = 0;      ///< of the wall clock, this start
    std::int64_t steps = 0;  ///< bars computed in those seconds
    double busy = 1;         ///< share of the slots' time in those seconds that was computed in
};

/// The trial of that number; null where there is none.
const search::TrialRecord* find_trial(const Summary& summary, std::int64_t number);

/// FORMATS: trials{complete,pruned,fail,running}, best{trial, params, score, validation, test}, the
/// same windows of buy_and_hold and flat, verdict, seconds, steps_per_second. An undefined metric
/// is null, with its reason as NAME_reason beside it.
nlohmann::ordered_json to_json(const Summary& summary);

/// What `to_json` wrote, but for the trials: those are the ledger's. `where` names the file for the
/// UserError that anything else gets.
Summary from_json(const nlohmann::ordered_json& json, const std::string& where);

}  // namespace barsweep::report
