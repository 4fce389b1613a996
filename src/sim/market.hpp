#pragma once
#include "bars/bar_series.hpp"
#include "device/buffer.hpp"

namespace barsweep::sim {

/// One market's bars where they are computed on, loaded once and shared by every trial of a rank.
struct Market {
    device::Buffer<kernels::i64> ohlc;          ///< [bars, 4] ticks
    device::Buffer<kernels::i64> open;          ///< [bars] ticks, column 0 of ohlc once more
    device::Buffer<kernels::i64> close;         ///< [bars] ticks, column 3 of ohlc once more
    device::Buffer<kernels::i64> sigma;         ///< [bars] ppb
    device::Buffer<kernels::i64> close_before;  ///< [bars + 1] ticks, closes before each bar summed
    kernels::i64 price_bound = 0;               ///< ticks, the largest magnitude among all prices

    kernels::i64 bars() const noexcept { return static_cast<kernels::i64>(sigma.size()); }
};

/// Throws UserError where the sum of all closes leaves int64.
Market load_market(device::Backend backend, const bars::BarSeries& series);

}  // namespace barsweep::sim
