#pragma once
#include "bars/bar_series.hpp"
#include "device/buffer.hpp"

namespace barsweep::sim {

/// One market's bars where they are computed on, loaded once and shared by every trial of a rank.
struct Market {
    device::Buffer<kernels::i64> ohlc;          ///< [bars, 4] ticks
    device::Buffer<kernels::i64> sigma;         ///< [bars] ppb
    device::Buffer<kernels::i64> close_before;  ///< [bars + 1] sum of the closes before each bar

    kernels::i64 bars() const noexcept { return static_cast<kernels::i64>(sigma.size()); }
};

Market load_market(device::Backend backend, const bars::BarSeries& series);

}  // namespace barsweep::sim
