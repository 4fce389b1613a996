#pragma once
#include <vector>

#include "search/trial.hpp"

namespace barsweep::search {

enum class Direction { minimize = 1, maximize = 2 };  // Optuna's numbers

/// What a trial of several seeds is worth: their mean, or that less its standard error (deviation,
/// ddof 1, by the root of their number), on the side that is worse.
enum class ReplicateScore { mean, mean_less_se };

/// A rung's reports, one a replicate, as one. It fails where one failed, has no score where one has
/// none; seconds are their sum; all else is the first's.
Report together(const std::vector<Report>& replicates, ReplicateScore score, Direction direction);

}  // namespace barsweep::search
