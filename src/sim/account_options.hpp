#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bars/bar_series.hpp"
#include "base/decimal.hpp"
#include "kernels/account.hpp"

namespace barsweep::sim {

/// The `[account]` keys, exact decimals; defaults are the job file's (FORMATS). Prices and money
/// are in quote, quantities in base units, bps of notional.
struct AccountOptions {
    Decimal initial{10'000, 0};
    std::vector<Decimal> levels{{-1, 0}, {-5, 1}, {0, 0}, {5, 1}, {1, 0}};
    Decimal spread{};                 ///< full bid-ask in price units; half is paid a side
    Decimal spread_bps{};             ///< the same of the price; at most one of the two is set
    Decimal fee_bps{};                ///< of each side's notional
    Decimal cash_reserve{};           ///< share of equity, 0..1
    std::optional<int> lot_decimals;  ///< none: auto (SEMANTICS 1)
    std::optional<Decimal> unit;      ///< base units held at exposure 1; none: sized by equity
    kernels::Fill fill = kernels::Fill::next_open;
    kernels::Barrier barrier = kernels::Barrier::label;
    Decimal target{2, 0};             ///< in sigmas
    Decimal stop{1, 0};               ///< in sigmas
    std::int64_t hold = 60;           ///< bars
    std::int64_t target_through = 0;  ///< ticks
    std::int64_t stop_slippage = 0;   ///< ticks
    kernels::Reentry reentry = kernels::Reentry::level_change;
    Decimal carry_long_bps{};   ///< a year
    Decimal carry_short_bps{};  ///< a year
    Decimal ruin{2, 1};         ///< share of the initial money
};

/// The rules in ticks and lots, and what turns them back into decimals.
struct ResolvedAccount {
    kernels::Rules rules;
    int price_decimals = 0;
    int lot_decimals = 0;

    int money_decimals() const noexcept { return price_decimals + lot_decimals; }
};

/// One key of `[account]`, for --help, defaults and misspelt names.
struct AccountKey {
    const char* name;      ///< without its section
    const char* fallback;  ///< text of the default; empty: none
    const char* example;   ///< a text that is accepted
    const char* meaning;   ///< with its unit
};

/// In the order of FORMATS.
const std::vector<AccountKey>& account_keys();

/// Reads `values` (key without its section -> text) over the defaults; blank text is the default.
/// Throws UserError beginning with `where` for a text that is no value of its key. Every name must
/// be one of `account_keys()`.
AccountOptions parse_account(const std::map<std::string, std::string>& values,
                             const std::string& where);

/// Exact conversion; `where` names the job for errors. Throws UserError naming the key for values
/// that don't divide into ticks or lots (a fixed unit finer than a lot), are out of range, or could
/// overflow on these bars (SEMANTICS 1: 1,000 times the initial money and the fixed size).
/// Two roundings, of what is no money: barrier distances to the nearest 1e-6 sigma, and carry,
/// given a year and divided by `ppy`, to the nearest 1e-9 of notional a bar.
///
/// Automatic lot decimals: the coarsest from 0 of which the initial money buys 10,000 lots at the
/// first close, and as many as the fixed unit has.
ResolvedAccount resolve_account(const AccountOptions& options, const bars::BarSeries& series,
                                double ppy, const std::string& where);

}  // namespace barsweep::sim
