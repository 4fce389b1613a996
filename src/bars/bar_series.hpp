#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace barsweep::bars {

/// One market's bars, columns side by side. Invariants once import or a store has made it: all
/// columns have the same size N; time is strictly increasing; high >= max(open, close), low <=
/// min(open, close); volume >= 0.
struct BarSeries {
    std::string symbol;
    int price_decimals = 0;    ///< 1 tick = 10^-price_decimals quote
    int volume_decimals = 0;   ///< volumes are in units of 10^-volume_decimals
    Nanoseconds interval = 0;  ///< the commonest step between bars; 0 for a single bar

    std::vector<Nanoseconds> time;                  ///< [N] open time of the bar, UTC
    std::vector<std::array<std::int64_t, 4>> ohlc;  ///< [N] open, high, low, close in ticks
    std::vector<std::int64_t> volume;               ///< [N]
    std::vector<std::int64_t> sigma;                ///< [N] ppb (SEMANTICS 8: EWMA of log returns)

    std::size_t size() const noexcept { return time.size(); }
};

/// Bars a year: (n-1) / span in years of 365.25 days over the whole series; NaN for one bar.
double measured_ppy(const BarSeries& series);

/// SHA-256 in hex of the lines `ts_ns,open,high,low,close\n`, decimals without trailing zeros.
/// What the bars are, whatever file they came in.
std::string canonical_sha256(const BarSeries& series);

/// Fills `series.sigma` from its closes.
void compute_sigma(BarSeries& series);

}  // namespace barsweep::bars
