#pragma once
#include <map>
#include <string>
#include <vector>

#include "kernels/backtest.hpp"

namespace barsweep::sim {

/// Finite metrics by name, and of each undefined one why.
struct Metrics {
    std::map<std::string, double> values;
    std::map<std::string, std::string> reasons;
};

/// SEMANTICS 5 of one run that ended with status good. Returns are one a bar, the first 0.
///
/// total_return, cagr, volatility, sharpe, sortino (ddof 1, rf 0; yearly by `ppy`), max_drawdown
/// (share of its peak), max_drawdown_bars, calmar, profit_factor, win_rate, average_trade (net of a
/// round trip, share of the initial money), turnover (notional traded, in initial moneys), exposure
/// (share of closes with a position), skew and kurtosis (population; a normal's is 3).
Metrics metrics_of(const kernels::BacktestTotals& totals, kernels::i64 initial, double ppy);

/// The names of all of them, in name order.
std::vector<std::string> metric_names();

}  // namespace barsweep::sim
