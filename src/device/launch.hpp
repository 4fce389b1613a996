#pragma once
#include "device/buffer.hpp"
#include "kernels/backtest.hpp"
#include "kernels/philox_fill.hpp"

namespace barsweep::device {

/// Runs a kernel over all its elements and waits for it.
void backtest(Backend backend, const kernels::BacktestArgs& args);
void philox_fill(Backend backend, const kernels::PhiloxFillArgs& args);

}  // namespace barsweep::device
