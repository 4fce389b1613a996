#pragma once
#include <cstdint>

#include "bars/bar_series.hpp"
#include "cli/job_options.hpp"

namespace barsweep::cli {

/// What a job will take, told before it starts.
struct Estimate {
    std::int64_t grid_points = 0;  ///< distinct configurations; 0: without end; saturates at int64
    std::int64_t trials = 0;       ///< those asked for, or the grid where that is less
    std::int64_t bars = 0;         ///< at most: as if no trial were cut
    std::int64_t memory = 0;       ///< bytes a rank, about
    double bars_per_second = 0;    ///< measured on one thread here; NaN: no trial could be run
};

/// Counts, and runs the study's first trials over the training window for about a fifth of a
/// second.
Estimate estimate(const Job& job, const bars::BarSeries& series);

}  // namespace barsweep::cli
