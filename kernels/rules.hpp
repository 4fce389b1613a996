#pragma once
#include "money.hpp"

namespace barsweep::kernels {

/// The price an order gets: the next bar's open, or the close it was decided on.
enum class Fill : i32 { next_open, close };

/// Barriers of a position: none, reported only, or closing it.
enum class Barrier : i32 { off, label, exit };

/// After an exit the same request trades again only once another was made, or at once.
enum class Reentry : i32 { level_change, any };

inline constexpr int max_levels = 16;

/// What an account may do and what it pays. Ticks, lots and tick*lot (SEMANTICS 1); trivial, so it
/// travels by value. The bounds are those of `within_bounds`.
struct Rules {
    i64 initial = 0;  ///< money at the start, tick*lot, > 0
    i64 levels_ppm[max_levels] = {-1'000'000, -500'000, 0, 500'000, 1'000'000};  ///< exposure
    i64 level_count = 5;            ///< of `levels_ppm`
    i64 half_spread_nanoticks = 0;  ///< absolute half spread a lot, 1e-9 tick, >= 0
    i64 rate_ppb = 0;               ///< cost of one side, of notional, 0 to 1e9
    i64 reserve_ppm = 0;            ///< share of equity kept in cash when sizing, 0 to 1e6
    i64 unit_lots = 0;              ///< > 0: lots held at exposure 1; 0: sized by equity
    Fill fill = Fill::next_open;
    Barrier barrier = Barrier::label;
    i64 target_ppm = 2'000'000;  ///< barrier distance in sigmas, 0 to 2^31
    i64 stop_ppm = 1'000'000;    ///< the same for the stop
    i64 hold_bars = 60;
    i64 target_through = 0;  ///< ticks a bar must trade beyond the target, >= 0; 0: a touch counts
    i64 stop_slippage = 0;   ///< ticks, >= 0; a stop inside the bar fills worse, within the bar
    Reentry reentry = Reentry::level_change;
    i64 carry_long_ppb = 0;   ///< of notional for each close held, -1e9 to 1e9; negative: received
    i64 carry_short_ppb = 0;  ///< the same for shorts
    i64 ruin_ppm = 200'000;   ///< the account ends at this share of the initial money, 0 to 1e6
};

/// Inside these bounds no 128-bit product of account.hpp can overflow, whatever prices and sizes
/// are; the int64 results are checked there.
BARSWEEP_HD constexpr bool within_bounds(const Rules& rules)
{
    const i64 multiple = i64{1} << 31;
    return rules.initial > 0 && rules.level_count >= 2 && rules.level_count <= max_levels &&
           rules.half_spread_nanoticks >= 0 && rules.rate_ppb >= 0 && rules.rate_ppb <= billion &&
           rules.reserve_ppm >= 0 && rules.reserve_ppm <= million && rules.unit_lots >= 0 &&
           rules.target_ppm >= 0 && rules.target_ppm < multiple && rules.stop_ppm >= 0 &&
           rules.stop_ppm < multiple && rules.hold_bars >= 1 && rules.target_through >= 0 &&
           rules.stop_slippage >= 0 && magnitude(rules.carry_long_ppb) <= billion &&
           magnitude(rules.carry_short_ppb) <= billion && rules.ruin_ppm >= 0 &&
           rules.ruin_ppm <= million;
}

/// The highest equity that is ruin: equity * 10^6 <= ruin_ppm * initial, solved for equity once.
BARSWEEP_HD constexpr i64 ruin_equity(const Rules& rules)
{
    return static_cast<i64>(i128{rules.ruin_ppm} * rules.initial / million);
}

}  // namespace barsweep::kernels
