#pragma once
#include <cstdint>

#include "bars/bar_series.hpp"

namespace barsweep::bars {

/// The commonest step between times; of equally common ones the shortest. 0 for a single bar.
Nanoseconds commonest_step(const std::vector<Nanoseconds>& time);

/// Bars that would fit between two neighbours, `interval` > 0 apart; 0 where there is no gap.
inline std::int64_t bars_between(Nanoseconds earlier, Nanoseconds later, Nanoseconds interval)
{
    return (later - earlier - 1) / interval;
}

struct GapCount {
    std::int64_t gaps = 0;
    std::int64_t missing_bars = 0;
};

/// Nights, weekends and holidays count: what a market's calendar is isn't known here.
GapCount count_gaps(const BarSeries& series);

/// Flat bars at the last close, volume 0, wherever a bar is missing; sigma is not kept up.
void fill_gaps(BarSeries& series);

}  // namespace barsweep::bars
