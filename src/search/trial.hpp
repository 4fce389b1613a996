#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/space.hpp"

namespace barsweep::search {

/// One configuration to try.
struct Trial {
    std::int64_t number = 0;  ///< 0, 1, 2 ...; the ledger's trial id
    Params params;
};

/// What a worker says of one rung of a trial. Everything but seconds, rank and device is a pure
/// function of (job, data, trial, rung).
struct Report {
    std::int64_t trial = 0;
    int rung = 0;                           ///< index into the job's rungs
    int replicate = 0;                      ///< which of the trial's seeds
    double score = 0;                       ///< NaN: undefined, `reason` says why
    std::string reason;                     ///< why the score is undefined; else empty
    std::string failure;                    ///< the trial can't go on, and why; else empty
    std::map<std::string, double> metrics;  ///< finite values only
    double seconds = 0;                     ///< computing time of the rung
    int rank = 0;
    std::string device;
};

enum class TrialState { running = 0, complete = 1, pruned = 2, fail = 3 };  // Optuna's numbers

struct RungScore {
    std::int64_t step = 0;  ///< the rung's cumulative bars
    double score = 0;       ///< NaN: undefined
};

/// A trial as the ledger tells it.
struct TrialRecord {
    Trial trial;
    TrialState state = TrialState::running;
    std::vector<RungScore> rungs;
    std::optional<Report> last;  ///< the last rung's report
    double value = 0;            ///< of a complete trial: the last rung's score
    std::string cause;           ///< why it was pruned, failed, waits or was promoted, for a person
    bool paused = false;         ///< it waits for its promotion
    double seconds = 0;          ///< summed over its rungs
    bool foreign = false;        ///< another program's, which wrote it into the ledger
};

}  // namespace barsweep::search
