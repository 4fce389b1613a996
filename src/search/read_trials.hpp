#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "search/trial.hpp"

namespace barsweep::search {

/// The trials that a ledger tells of, in number order; for reports, also while a study writes it.
/// Opens for reading only; a torn last line is a record still being written, and left out. Throws
/// UserError naming the line of one that is no journal record.
std::vector<TrialRecord> read_trials(const std::filesystem::path& path);

/// What a ledger says of one trial and of what it ran on.
struct Recorded {
    Trial trial;
    std::vector<Report> rungs;                            ///< one or more
    std::map<std::string, nlohmann::ordered_json> study;  ///< its attributes
};

/// Throws as read_trials does, and for a trial that isn't there or has no report yet.
Recorded read_recorded(const std::filesystem::path& path, std::int64_t trial);

}  // namespace barsweep::search
