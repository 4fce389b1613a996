#pragma once
#include <vector>

#include "report/summary.hpp"

namespace barsweep::report {

/// The trials as a person wants to read them: complete ones by value, then pruned ones by how far
/// they came and their score there, then failed, then running ones. Ties: the lower number.
std::vector<const search::TrialRecord*> ranked(const Summary& summary);

/// The score a trial is ranked by: the value of a complete one, else that of its last rung; NaN
/// where it has none.
double shown_score(const search::TrialRecord& record);

/// "complete", "pruned", "fail", "running".
const char* name(search::TrialState state);

/// Names of the searched parameters, in name order, over all trials.
std::vector<std::string> parameter_names(const Summary& summary);

}  // namespace barsweep::report
