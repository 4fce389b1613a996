#pragma once
#include <cstdint>
#include <filesystem>

#include "search/study.hpp"

namespace barsweep::cli {

/// Where the trials of a study keep what they have learned.
struct Checkpoints {
    std::filesystem::path folder;  ///< empty: nowhere

    /// Empty where there is no folder.
    std::filesystem::path of(std::int64_t trial, int replicate = 0) const;

    /// Removes those that nothing needs: a running trial goes on from its own, and the best's is
    /// its policy. Trials that the study hasn't begun yet keep theirs. What can't be removed costs
    /// space alone.
    void drop_finished(const search::Study& study) const;
};

/// Seconds between a trial's checkpoints within a rung: 60, or BARSWEEP_CHECKPOINT_SECONDS
/// (UserError: not a number of 0 or more).
double checkpoint_seconds();

}  // namespace barsweep::cli
