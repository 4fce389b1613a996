#pragma once
#include <cstdint>
#include <vector>

#include "cli/study_data.hpp"

namespace barsweep::cli {

/// What a job will take, told before it starts.
struct Estimate {
    std::int64_t grid_points = 0;  ///< distinct configurations; 0: without end; saturates at int64
    std::int64_t trials = 0;       ///< those asked for, or the grid where that is less
    std::int64_t bars = 0;         ///< at most: as if no trial were cut
    std::int64_t memory = 0;       ///< bytes of a rank that has all slots, at its highest, about
    int threads = 1;               ///< that compute on this machine, at most one a slot
    double seconds_at_most = 0;    ///< of one thread, if no trial were cut; NaN: none could be run
    double seconds = 0;            ///< on those threads, cut as `rung_shares` has it; or NaN
};

/// Counts, and computes the study's own trials for about half a second with all threads.
Estimate estimate(const StudyData& data);

/// Share of the trials that each rung is run for, if scores came in random order and a trial kept
/// its place among the others from rung to rung. [rungs]
std::vector<double> rung_shares(const search::StudyPlan& plan);

}  // namespace barsweep::cli
