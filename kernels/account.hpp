#pragma once
#include "rules.hpp"

namespace barsweep::kernels {

/// Prices of one bar, ticks.
struct Bar {
    i64 open, high, low, close;
};

BARSWEEP_HD constexpr Bar bar_at(View<const i64> ohlc, i64 row)
{
    return {ohlc[4 * row], ohlc[4 * row + 1], ohlc[4 * row + 2], ohlc[4 * row + 3]};
}

/// How a step ended. `overflow`: a number left int64 and the account stands as before that bar.
/// `no_episode`: a lane has no bars to go on with (experience.hpp).
enum class Status : i32 { good, overflow, no_episode };

/// What a barrier said of the bar (int8 in the outputs).
enum class Label : i8 { none = 0, target = 1, stop = -1, timeout = 2 };

/// Why lots changed hands.
enum class Cause : i8 { order, barrier, ruin };

/// One trading account. Invariant at every close, exact:
/// equity = initial + realised + (lots * close - basis) - costs.
struct Account {
    i64 cash = 0;   ///< tick*lot
    i64 lots = 0;   ///< signed position
    i64 basis = 0;  ///< tick*lot, signed cost of the open position without costs
    i64 costs = 0;  ///< tick*lot: spread, fees and carry paid so far
    i64 peak = 0;   ///< tick*lot, highest equity at a close, initial money included
    i64 upper = 0;  ///< barriers in ticks; upper == lower: none active
    i64 lower = 0;
    i64 age = 0;       ///< bars since the position was opened
    i64 level = 0;     ///< ppm last asked for and acted on
    i64 realised = 0;  ///< tick*lot, profit of closed parts before costs
};

BARSWEEP_HD constexpr Account fresh_account(const Rules& rules)
{
    Account account;
    account.cash = account.peak = rules.initial;
    return account;
}

/// Lots that changed hands at one price; a reversal is two, both of cause `order`.
struct Leg {
    i64 lots;   ///< signed
    i64 price;  ///< ticks
    i64 cost;   ///< tick*lot
    Cause cause;
};

/// Takes the legs of a step as they happen, with the account right after each.
struct NoSink {
    BARSWEEP_HD constexpr void operator()(const Account&, const Leg&) const {}
};

struct Step {
    Status status = Status::good;
    Label label = Label::none;
    bool terminated = false;  ///< ruin: the position was closed at this close
    i64 before = 0;           ///< tick*lot, equity at the close that was decided on
    i64 equity = 0;           ///< tick*lot, at the close lived to
    i64 peak_before = 0;      ///< tick*lot
};

/// Moves the position by `delta` lots at `price`; never across zero (a reversal is two calls).
template <class Sink>
BARSWEEP_HD constexpr void trade(const Rules& rules, Account& a, i64 delta, i64 price, Cause cause,
                                 bool& overflow, Sink& sink)
{
    if (delta == 0) return;
    const i64 value = narrow(i128{delta} * price, overflow);  // signed notional
    // ceil: below 2^126 + 2^93
    const i64 paid = narrow(divide_up(magnitude(delta) * rules.half_spread_nanoticks +
                                          magnitude(value) * rules.rate_ppb,
                                      billion),
                            overflow);
    if (a.lots != 0 && sign(delta) != sign(a.lots)) {
        const i64 removed = narrow(a.basis * magnitude(delta) / magnitude(a.lots), overflow);
        a.realised = narrow(i128{a.realised} - value - removed, overflow);
        a.basis = narrow(i128{a.basis} - removed, overflow);
    } else {
        a.basis = narrow(i128{a.basis} + value, overflow);
    }
    a.cash = narrow(i128{a.cash} - value - paid, overflow);
    a.costs = narrow(i128{a.costs} + paid, overflow);
    a.lots = narrow(i128{a.lots} + delta, overflow);
    sink(static_cast<const Account&>(a), Leg{delta, price, paid, cause});
}

/// Closes the whole position at `price`.
template <class Sink>
BARSWEEP_HD constexpr void flatten(const Rules& rules, Account& a, i64 price, Cause cause,
                                   bool& overflow, Sink& sink)
{
    trade(rules, a, narrow(-i128{a.lots}, overflow), price, cause, overflow, sink);
}

/// Signed lots for an exposure. Sized by equity, the reserve and the fill's cost stay covered.
BARSWEEP_HD constexpr i64 affordable(const Rules& rules, i64 level_ppm, i64 equity, i64 price,
                                     bool& overflow)
{
    if (rules.unit_lots != 0) {
        return narrow(i128{level_ppm} * rules.unit_lots / million, overflow);
    }
    if (level_ppm == 0 || price == 0 || equity <= 0) return 0;
    const i128 share = magnitude(level_ppm);
    if (share >> 31 != 0) {  // 2^31 * 2^63 * 10^9 is below 2^124
        overflow = true;
        return 0;
    }
    const i128 budget = i128{equity} * (million - rules.reserve_ppm) / million;
    const i128 unit = million * (magnitude(price) * (billion + rules.rate_ppb) +
                                 rules.half_spread_nanoticks);  // below 2^115
    const i64 lots = narrow(share * budget * billion / unit, overflow);
    return sign(level_ppm) * lots;
}

/// Distance of a barrier in ticks, at least 1; sigma below 2^32 ppb keeps the product below 2^126.
BARSWEEP_HD constexpr i128 barrier_distance(i64 price, i64 multiple_ppm, i64 sigma_ppb,
                                            bool& overflow)
{
    if (sigma_ppb < 0 || sigma_ppb >> 32 != 0) overflow = true;
    if (overflow) return 1;
    const i128 ticks = magnitude(price) * multiple_ppm * sigma_ppb / (i128{million} * billion);
    return ticks > 1 ? ticks : 1;
}

/// The policy's order; only a level that differs from the one in force trades.
template <class Sink>
BARSWEEP_HD constexpr void place_order(const Rules& rules, Account& a, i64 wanted_ppm, i64 price,
                                       i64 sigma_ppb, bool& overflow, Sink& sink)
{
    if (a.lots != 0 && sign(wanted_ppm) != sign(a.lots)) {
        flatten(rules, a, price, Cause::order, overflow, sink);
    }
    const bool opening = a.lots == 0;
    if (wanted_ppm != 0 && !overflow) {
        const i64 equity = narrow(i128{a.cash} + i128{a.lots} * price, overflow);
        const i64 lots = affordable(rules, wanted_ppm, equity, price, overflow);
        trade(rules, a, narrow(i128{lots} - a.lots, overflow), price, Cause::order, overflow, sink);
    }
    a.level = a.lots != 0 ? wanted_ppm : 0;
    if (a.lots == 0) {
        a.basis = a.upper = a.lower = a.age = 0;
    } else if (opening) {
        a.age = a.upper = a.lower = 0;
        if (rules.barrier == Barrier::off) return;
        const i128 wide = barrier_distance(price, rules.target_ppm, sigma_ppb, overflow);
        const i128 tight = barrier_distance(price, rules.stop_ppm, sigma_ppb, overflow);
        a.upper = narrow(price + (a.lots > 0 ? wide : tight), overflow);
        a.lower = narrow(price - (a.lots > 0 ? tight : wide), overflow);
    }
}

/// A barrier that was met, and the price at which it closes a position.
struct Hit {
    Label label = Label::none;
    i64 price = 0;  ///< ticks
};

/// The open first, then the stop before the target (inside a bar their order is unknown), then the
/// hold time. Sums are 128 bits: a barrier may lie anywhere in int64.
BARSWEEP_HD constexpr Hit test_barriers(const Rules& rules, const Account& a, Bar bar)
{
    const bool is_long = a.lots > 0;
    if (bar.open >= a.upper) return {is_long ? Label::target : Label::stop, bar.open};
    if (bar.open <= a.lower) return {is_long ? Label::stop : Label::target, bar.open};
    if (is_long ? bar.low <= a.lower : bar.high >= a.upper) {
        const i128 slipped =
            is_long ? i128{a.lower} - rules.stop_slippage : i128{a.upper} + rules.stop_slippage;
        const bool inside = is_long ? slipped > bar.low : slipped < bar.high;
        return {Label::stop, inside ? static_cast<i64>(slipped) : is_long ? bar.low : bar.high};
    }
    if (is_long ? bar.high >= i128{a.upper} + rules.target_through
                : bar.low <= i128{a.lower} - rules.target_through) {
        return {Label::target, is_long ? a.upper : a.lower};
    }
    if (a.age >= rules.hold_bars) return {Label::timeout, bar.close};
    return {};
}

/// Ages the position by a bar, tests its barriers and, where they are to, closes it.
template <class Sink>
BARSWEEP_HD constexpr Label live_bar(const Rules& rules, Account& a, Bar bar, bool& overflow,
                                     Sink& sink)
{
    ++a.age;
    if (a.upper == a.lower) return Label::none;
    const Hit hit = test_barriers(rules, a, bar);
    if (hit.label == Label::none) return hit.label;
    a.upper = a.lower = 0;
    if (rules.barrier == Barrier::exit) {
        flatten(rules, a, hit.price, Cause::barrier, overflow, sink);
        a.age = a.basis = 0;
        if (rules.reentry == Reentry::any) a.level = 0;
    }
    return hit.label;
}

/// Carry for one close, rounded up: against the account.
BARSWEEP_HD constexpr void charge_carry(const Rules& rules, Account& a, i64 close, bool& overflow)
{
    const i64 rate = a.lots > 0 ? rules.carry_long_ppb : rules.carry_short_ppb;
    if (rate == 0) return;
    const i64 notional = narrow(i128{a.lots} * close, overflow);
    const i64 carry = narrow(divide_up(magnitude(notional) * rate, billion), overflow);
    a.cash = narrow(i128{a.cash} - carry, overflow);
    a.costs = narrow(i128{a.costs} + carry, overflow);
}

/// One bar of an account (SEMANTICS 2, parts 1 to 3): decided at the close of `bar` for an exposure
/// of `wanted_ppm`, lived through `next`. `sigma_ppb` is that of `bar`. Where the status is
/// `overflow` the account stands as before, and legs the sink was told of this bar are void.
template <class Sink>
BARSWEEP_HD constexpr Step advance(const Rules& rules, Account& account, Bar bar, Bar next,
                                   i64 sigma_ppb, i64 wanted_ppm, Sink&& sink)
{
    Account a = account;
    Step step;
    bool overflow = false;
    step.peak_before = a.peak;
    step.before = narrow(i128{a.cash} + i128{a.lots} * bar.close, overflow);

    if (wanted_ppm != a.level) {
        const i64 price = rules.fill == Fill::next_open ? next.open : bar.close;
        place_order(rules, a, wanted_ppm, price, sigma_ppb, overflow, sink);
    }
    if (a.lots != 0) step.label = live_bar(rules, a, next, overflow, sink);
    if (a.lots != 0) charge_carry(rules, a, next.close, overflow);

    step.equity = narrow(i128{a.cash} + i128{a.lots} * next.close, overflow);
    step.terminated = step.equity <= ruin_equity(rules);
    if (step.terminated && a.lots != 0) {
        flatten(rules, a, next.close, Cause::ruin, overflow, sink);
        a.level = a.age = a.basis = a.upper = a.lower = 0;
        step.equity = a.cash;
    }
    if (step.equity > a.peak) a.peak = step.equity;

    if (overflow) return {Status::overflow, Label::none, false, 0, 0, step.peak_before};
    account = a;
    return step;
}

}  // namespace barsweep::kernels
