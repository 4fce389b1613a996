#pragma once
#include <cstdint>
#include <vector>

#include "cli/study_data.hpp"

namespace barsweep::cli {

/// Seconds that each rung of a trial that learns takes a thread with a processor of its own.
/// [rungs]
using RungSeconds = std::vector<double>;

/// Of each plan. Learns by the lightest and the heaviest of them, on `threads` threads at once and
/// for some tenths of a second; the others lie on the line between. `plans` is not empty.
std::vector<RungSeconds> time_learners(const StudyData& data,
                                       const std::vector<agents::LearnerPlan>& plans, int threads);

/// Bytes at the highest of a rank that computes with `threads` threads and keeps `slots` learners,
/// the trials in the order of `plans`: the program, the bars, the networks, what replay holds in
/// the end, a checkpoint as it is written. A pure function.
std::int64_t memory_of_learners(const StudyData& data,
                                const std::vector<agents::LearnerPlan>& plans, int slots,
                                int threads);

}  // namespace barsweep::cli
