#pragma once
#include "account.hpp"
#include "curve.hpp"

namespace barsweep::kernels {

/// Everything one run over a window says that adds up exactly, and the moments of its returns.
/// Sums over trades are 128 bits. After status `overflow` only status and stopped_bar mean
/// anything.
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
    Drawdown drawdown;       ///< the deepest; its peak_bar is a store row
    Moments returns;
    bool ruined = false;
    Status status = Status::good;
    i64 stopped_bar = -1;  ///< store row of ruin or of the status; -1: neither
};

/// Accounts over one window of one market, all independent.
struct BacktestArgs {
    View<const i64> ohlc;     ///< [bars, 4] ticks
    View<const i64> open;     ///< [bars] ticks, that column once more ...
    View<const i64> close;    ///< [bars] ... and this: all that is read where no barriers are
    View<const i64> sigma;    ///< [bars] ppb
    View<const Rules> rules;  ///< [accounts], each within_bounds
    View<const i64> wanted;   ///< [accounts, last - first] ppm
    i64 first = 0;            ///< store rows of the window, both included
    i64 last = 0;
    i64 price_bound = 0;          ///< ticks, at least the magnitude of every price
    View<BacktestTotals> totals;  ///< [accounts]
    View<i64> equity;             ///< [accounts, window bars] tick*lot, or of size 0
};

/// Counts what changes hands. A round trip's net is the cash between two moments without a
/// position, so costs and carry are in it.
template <class Sink>
struct Tally {
    BacktestTotals& totals;
    Sink& sink;
    i64 bar;             ///< store row being lived
    i64 flat_cash;       ///< tick*lot, when there was last no position
    i64 order_bar = -1;  ///< row of the last order: its second leg is the same fill

    BARSWEEP_HD constexpr void operator()(const Account& account, const Leg& leg)
    {
        const bool second_leg = leg.cause == Cause::order && order_bar == bar;
        if (leg.cause == Cause::order) order_bar = bar;
        if (!second_leg) ++totals.fills;
        totals.turnover += magnitude(i128{leg.lots} * leg.price);
        if (account.lots == 0) {
            const i128 net = i128{account.cash} - flat_cash;
            ++totals.trades;
            if (net > 0) ++totals.wins, totals.gross_profit += net;
            if (net < 0) ++totals.losses, totals.gross_loss -= net;
            flat_cash = account.cash;
        }
        sink(account, leg, bar);
    }
};

/// The next decisions from `t` on that change nothing but mark and age: the same level wanted, bars
/// strictly between the barriers, no time-out, no carry, and every possible mark inside int64. At
/// most `most`. (Opens need no look: they lie between low and high.)
BARSWEEP_HD constexpr int quiet_decisions(const BacktestArgs& args, const Rules& rules,
                                          const Account& a, const i64* wanted, i64 t, int most)
{
    const i64 level = a.level;
    if (*wanted != level) return 0;
    if (a.lots > 0 && rules.carry_long_ppb != 0) return 0;
    if (a.lots < 0 && rules.carry_short_ppb != 0) return 0;
    const i128 widest = magnitude(a.cash) + magnitude(a.lots) * args.price_bound;
    if (widest >> 63 != 0) return 0;

    int count = 0;
    if (a.upper == a.lower) {
        while (count < most && wanted[count] == level) ++count;
        return count;
    }
    const i64 before_timeout = rules.hold_bars - a.age - 1;
    if (before_timeout < most) most = before_timeout > 0 ? static_cast<int>(before_timeout) : 0;
    const i64* next = args.ohlc.data + 4 * (t + 1);  // high and low are its columns 1 and 2
    while (count < most && wanted[count] == level && next[4 * count + 1] < a.upper &&
           next[4 * count + 2] > a.lower) {
        ++count;
    }
    return count;
}

/// Marks a constant position at `count` closes; stops short of the first that is ruin. Equal to as
/// many calls of `advance`.
BARSWEEP_HD constexpr int hold(const Rules& rules, Account& a, const i64* close, int count,
                               Curve& curve)
{
    const i64 cash = a.cash;
    const i64 lots = a.lots;
    const i64 ruin = ruin_equity(rules);
    i64* equity = curve.next();
    i64 lowest = a.peak;
    i64 highest = a.peak;
    for (int i = 0; i < count; ++i) {
        const i64 mark = cash + lots * close[i];
        equity[i] = mark;
        lowest = mark < lowest ? mark : lowest;
        highest = mark > highest ? mark : highest;
    }
    if (lowest <= ruin) {  // once in a run at most
        highest = a.peak;
        int safe = 0;
        for (; safe < count && equity[safe] > ruin; ++safe) {
            highest = equity[safe] > highest ? equity[safe] : highest;
        }
        count = safe;
    }
    a.peak = highest;
    if (lots != 0) a.age += count;
    curve.take(count);
    return count;
}

/// `advance` over rows t and t + 1. Without barriers it reads neither highs, lows nor sigma; their
/// rows would miss the cache at every order.
template <class Sink>
BARSWEEP_HD constexpr Step advance_row(const BacktestArgs& args, const Rules& rules, Account& a,
                                       i64 t, i64 wanted_ppm, Sink& sink)
{
    if (rules.barrier != Barrier::off) {
        return advance(rules, a, bar_at(args.ohlc, t), bar_at(args.ohlc, t + 1), args.sigma[t],
                       wanted_ppm, sink);
    }
    const Bar bar{args.open[t], 0, 0, args.close[t]};
    const Bar next{args.open[t + 1], 0, 0, args.close[t + 1]};
    return advance(rules, a, bar, next, 0, wanted_ppm, sink);
}

/// Levels that were given beforehand.
struct GivenDecisions {
    const i64* wanted;  ///< [decisions] ppm
    i64 first;          ///< store row of the first

    BARSWEEP_HD constexpr int quiet(const BacktestArgs& args, const Rules& rules, const Account& a,
                                    i64 t, int most) const
    {
        return quiet_decisions(args, rules, a, wanted + (t - first), t, most);
    }
    BARSWEEP_HD constexpr i64 level(const Rules&, const Account&, i64 t) const
    {
        return wanted[t - first];
    }
};

/// Decisions first..last-1, or as far as ruin or overflow let; the rest of a ruined run is flat.
/// `decisions` says for how many bars from t on nothing happens (`quiet`; 0 is always right), else
/// the level wanted at t.
template <class Decisions, class Sink>
BARSWEEP_HD constexpr void run_decisions(const BacktestArgs& args, const Rules& rules,
                                         Decisions& decisions, Account& a, Curve& curve,
                                         Tally<Sink>& tally)
{
    BacktestTotals& totals = tally.totals;
    i64 t = args.first;
    while (t < args.last && totals.stopped_bar < 0) {
        const i64 left = args.last - t;
        const int most = left < curve.room() ? static_cast<int>(left) : curve.room();
        const int quiet = decisions.quiet(args, rules, a, t, most);
        const int held = quiet == 0 ? 0 : hold(rules, a, args.close.data + t + 1, quiet, curve);
        if (a.lots != 0) totals.bars_in_market += held;
        t += held;
        if (held > 0 && held == quiet) continue;

        tally.bar = t + 1;
        const Step step = advance_row(args, rules, a, t, decisions.level(rules, a, t), tally);
        totals.status = step.status;
        totals.ruined = step.terminated;
        if (step.terminated || step.status != Status::good) totals.stopped_bar = t + 1;
        if (step.status != Status::good) return;
        totals.bars_in_market += a.lots != 0;
        curve.push(step.equity);
        ++t;
    }
    for (; t < args.last; ++t) curve.push(a.cash);
}

/// Runs account `i` over the window. `sink(account, leg, row)` is told of every leg.
template <class Decisions, class Sink>
BARSWEEP_HD constexpr void run_account(const BacktestArgs& args, i64 i, Decisions decisions,
                                       Sink&& sink)
{
    const Rules rules = args.rules[i];
    const i64 bars = args.last - args.first + 1;
    i64* const equity = args.equity.size == 0 ? nullptr : args.equity.data + i * bars;
    Curve curve{rules.initial, args.first - 1, equity};
    BacktestTotals totals;
    Account account = fresh_account(rules);
    Tally<Sink> tally{totals, sink, args.first, rules.initial};

    curve.push(rules.initial);  // the first bar only decides
    run_decisions(args, rules, decisions, account, curve, tally);
    curve.finish();

    totals.bars = bars;
    totals.final_equity = curve.last();
    totals.costs = account.costs;
    totals.open_lots = account.lots;
    totals.drawdown = curve.deepest();
    totals.returns = curve.returns();
    args.totals[i] = totals;
}

/// The same by the levels of `args.wanted`.
template <class Sink>
BARSWEEP_HD constexpr void run_account(const BacktestArgs& args, i64 i, Sink&& sink)
{
    const i64* wanted = args.wanted.data + i * (args.last - args.first);
    run_account(args, i, GivenDecisions{wanted, args.first}, sink);
}

struct NoFills {
    BARSWEEP_HD constexpr void operator()(const Account&, const Leg&, i64) const {}
};

/// The kernel: one account.
BARSWEEP_HD constexpr void backtest_one(const BacktestArgs& args, i64 i)
{
    run_account(args, i, NoFills{});
}

}  // namespace barsweep::kernels
