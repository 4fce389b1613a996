#pragma once
#include <string>
#include <vector>

#include "bars/bar_series.hpp"
#include "sim/account_options.hpp"
#include "sim/backtest.hpp"

namespace barsweep::cli {

/// One run of `barsweep backtest`, and what its numbers are in.
struct BacktestReport {
    const bars::BarSeries& series;
    const sim::ResolvedAccount& account;
    const sim::BacktestResult& result;
    double ppy;
    bool ppy_given;       ///< else measured over the store
    bars::Window window;  ///< store rows
};

/// One JSON object (FORMATS, "Commands"): money as decimal text, undefined metrics null with the
/// reason under `reasons`.
std::string backtest_json(const BacktestReport& report);

/// The same for a person.
std::string backtest_text(const BacktestReport& report);

/// A line a fill, exact decimals: bar,ts_ns,units,open_price,cost,units_after,cash_after,
/// equity_at_close. `open_price` is the price of the fill, also where it is a barrier's.
std::string fills_csv(const BacktestReport& report, const std::vector<sim::FillRow>& fills);

/// A line a decision from store row `first` on, as `--actions` reads it; `units`: lots held at
/// exposure 1 are 10^6, so what was wanted are lots.
std::string actions_csv(const sim::Wanted& wanted, std::int64_t first, bool units,
                        int lot_decimals);

}  // namespace barsweep::cli
