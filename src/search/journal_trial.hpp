#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "search/journal.hpp"
#include "search/space.hpp"
#include "search/trial.hpp"

namespace barsweep::search {

/// A trial as a journal tells it, whoever wrote the record: by Optuna's rules (a finished trial
/// changes no more; a step reported twice counts as the last time), but that a trial complete
/// without a finite value is a failed one, since it is no result. `record`: of strict_json. Throws
/// any std::exception where a member is missing or of another type.
void take_creation(TrialRecord& trial, const nlohmann::json& record);
void take_record(TrialRecord& trial, journal::Op op, const nlohmann::json& record);

/// What keeps the parameters that a record of another program holds (a parameter's, or a whole
/// trial's) from being trials of this space: one that isn't searched, another kind of distribution,
/// logarithm or list of choices (Optuna drops such parameters in silence), a value out of range.
/// Ranges may differ. Empty: nothing does.
std::string mismatch(const Space& space, const nlohmann::json& record);

}  // namespace barsweep::search
