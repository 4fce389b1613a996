#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "sim/backtest.hpp"

namespace barsweep::sim {

/// Given actions, one a bar of a store, as read from a CSV file.
struct Actions {
    bool units = false;           ///< base units held; else exposure levels
    std::vector<Decimal> wanted;  ///< [bars] the last bar's is never filled
};

/// Reads a CSV (or gzip of one) with the columns `bar` and `level`, or `bar` and `units` or
/// `target_units`; `column` picks another, whose name ends in `units` where it holds units. Bars
/// rise; a bar that isn't named asks for what the one before did, 0 at the start. Throws UserError
/// naming file, line and column.
Actions read_actions(const std::filesystem::path& path, std::int64_t bars,
                     const std::string& column = {});

/// The finest unit asked for, as a Decimal of 1 in its last place: what a lot must divide.
Decimal finest_unit(const Actions& actions);

/// The decisions of `window`: ppm of exposure, or lots where the actions are units (the account is
/// then one of unit_lots = 10^6). Throws UserError naming the bar where lots are too coarse.
Wanted wants_of(const Actions& actions, int lot_decimals, bars::Window window,
                const std::string& where);

}  // namespace barsweep::sim
