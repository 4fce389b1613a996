#pragma once
#include <cstdint>
#include <filesystem>

#include "bars/bar_series.hpp"

namespace barsweep::bars {

/// What the price does between bars; `volatility` is the standard deviation of one bar's return.
enum class SyntheticKind {
    walk,   ///< returns without mean or memory: nothing to be learnt
    trend,  ///< a walk with a constant mean return, `drift`
    sine,   ///< noise around a sine of `period` bars and relative height `amplitude`
    ou,     ///< Ornstein-Uhlenbeck: pulled back to the start price by `reversion` a bar
};

struct SyntheticOptions {
    SyntheticKind kind = SyntheticKind::walk;
    std::int64_t bars = 10'000;
    std::uint64_t seed = 1;
    double start = 100;         ///< price of the first open
    double volatility = 0.001;  ///< fraction a bar
    double drift = 0.0001;      ///< fraction a bar
    double amplitude = 0.02;    ///< fraction of the start price
    std::int64_t period = 240;  ///< bars
    double reversion = 0.02;    ///< share of the distance a bar
    int decimals = 4;           ///< of prices
};

/// One-minute bars from 2020-01-01T00:00:00Z, the same for the same options on every run; sigma
/// included. Prices stay at or above one tick.
BarSeries synthesize(const SyntheticOptions& options);

/// time,open,high,low,close,volume with a header; the file appears whole or not at all.
void write_csv(const std::filesystem::path& path, const BarSeries& series);

}  // namespace barsweep::bars
