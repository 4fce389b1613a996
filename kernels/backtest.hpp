#pragma once
#include "account.hpp"
#include "moments.hpp"

namespace barsweep::kernels {

/// Everything one run over a window says that adds up exactly, and the moments of its returns.
/// Sums of many trades are 128 bits.
struct BacktestTotals {
    i128 gross_profit = 0;   ///< tick*lot, of round trips that won; net of costs
    i128 gross_loss = 0;     ///< tick*lot, of those that lost, >= 0
    i128 turnover = 0;       ///< tick*lot, notional that changed hands
    i64 bars = 0;            ///< of the window; one return a bar
    i64 final_equity = 0;    ///< tick*lot, marked at the last close
    i64 costs = 0;           ///< tick*lot
    i64 open_lots = 0;       ///< signed, held at the end
    i64 fills = 0;           ///< orders (a reversal is one), barrier exits, ruin
    i64 trades = 0;          ///< round trips, from flat to flat
    i64 wins = 0;            ///< trips with net > 0
    i64 losses = 0;          ///< trips with net < 0
    i64 bars_in_market = 0;  ///< closes with a position

    i64 drawdown_peak = 0;       ///< tick*lot, where the deepest drawdown began ...
    i64 drawdown_trough = 0;     ///< ... and its lowest close; equal: there was none
    i64 drawdown_peak_bar = 0;   ///< store row of that peak; before the window: the initial money
    i64 drawdown_bars = 0;       ///< from the peak to the close that regained it, or to the end
    bool drawdown_open = false;  ///< not regained by the end

    bool ruined = false;
    Status status = Status::good;
    i64 stopped_bar = -1;  ///< store row of ruin or of the status; -1: neither
    Moments returns;
};

}  // namespace barsweep::kernels
