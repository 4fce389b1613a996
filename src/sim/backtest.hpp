#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bars/split.hpp"
#include "kernels/account.hpp"
#include "kernels/backtest.hpp"
#include "sim/market.hpp"

namespace barsweep::sim {

/// A moving-average rule: long while the fast average of closes is above the slow one, short
/// (long_flat: flat) while below, unchanged while equal; compared exactly as integers. The first
/// decision is on the bar that completes the slow window (of store rows, so a window that starts
/// later has it at once).
struct Rule {
    std::int64_t fast = 20;  ///< bars, >= 1
    std::int64_t slow = 50;  ///< bars, > fast
    bool long_flat = false;
};

/// What each decision of a window asks for, in ppm of exposure (with unit_lots = 10^6 that is a
/// number of lots). [decisions]
using Wanted = std::vector<kernels::i64>;

Wanted rule_wants(const Market& market, const Rule& rule, bars::Window window);

/// A fill as `--fills` writes it: an order (a reversal is one), an exit at a barrier, a ruin.
struct FillRow {
    std::int64_t bar;    ///< store row it happened in
    std::int64_t units;  ///< lots, signed
    std::int64_t price;  ///< ticks
    std::int64_t cost;   ///< tick*lot
    std::int64_t lots_after;
    std::int64_t cash_after;  ///< tick*lot
    std::int64_t equity_at_close;
};

/// SEMANTICS 5 over one run; the names are those of metrics.hpp, each in one of the two maps.
struct BacktestResult {
    kernels::BacktestTotals
        totals;  ///< exact: final equity, fills, trades, costs, drawdown bars ...
    std::map<std::string, double> metrics;       ///< finite: sharpe, sortino, max_drawdown ...
    std::map<std::string, std::string> reasons;  ///< of the undefined ones
};

/// One continuous run over `window` from a fresh account (SEMANTICS 8, window edges). Throws
/// std::overflow_error naming bar and values where the account stops with a status (overflow).
/// `fills`, `equity` (one a bar of the window, tick*lot) are filled where given.
BacktestResult run_backtest(const Market& market, const kernels::Rules& rules, bars::Window window,
                            const Wanted& wanted, double ppy, std::vector<FillRow>* fills = nullptr,
                            std::vector<kernels::i64>* equity = nullptr);

}  // namespace barsweep::sim
