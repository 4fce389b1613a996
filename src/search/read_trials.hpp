#pragma once
#include <filesystem>
#include <vector>

#include "search/trial.hpp"

namespace barsweep::search {

/// The trials that a ledger tells of, in number order; for reports, also while a study writes it.
/// Opens for reading only; a torn last line is a record still being written, and left out. Throws
/// UserError naming the line of one that is no journal record.
std::vector<TrialRecord> read_trials(const std::filesystem::path& path);

}  // namespace barsweep::search
