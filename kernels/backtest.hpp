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
    View<const i64> close;    ///< [bars] ticks, the fourth column once more: the one read most
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

/// The next decisions that change nothing but the mark: the same level wanted, no barrier, no
/// carry, and every possible mark inside int64. At most `most`.
BARSWEEP_HD constexpr int quiet_decisions(const Rules& rules, const Account& a, const i64* wanted,
                                          i64 price_bound, int most)
{
    if (a.upper != a.lower || *wanted != a.level) return 0;
    if (a.lots > 0 && rules.carry_long_ppb != 0) return 0;
    if (a.lots < 0 && rules.carry_short_ppb != 0) return 0;
    const i128 widest = magnitude(a.cash) + magnitude(a.lots) * price_bound;
    if (widest >> 63 != 0) return 0;
    int count = 1;
    while (count < most && wanted[count] == a.level) ++count;
    return count;
}

/// Marks a constant position at `count` closes; stops short of the first that is ruin. Equal to as
/// many calls of `advance`.
BARSWEEP_HD constexpr int hold(const Rules& rules, Account& a, const i64* close, int count,
                               Curve& curve)
{
    i64* equity = curve.next();
    i64 lowest = a.peak;
    for (int i = 0; i < count; ++i) {
        equity[i] = a.cash + a.lots * close[i];
        lowest = equity[i] < lowest ? equity[i] : lowest;
    }
    const i64 ruin = ruin_equity(rules);
    if (lowest <= ruin) {
        int safe = 0;
        while (safe < count && equity[safe] > ruin) ++safe;
        count = safe;
    }
    for (int i = 0; i < count; ++i) a.peak = equity[i] > a.peak ? equity[i] : a.peak;
    if (a.lots != 0) a.age += count;
    curve.take(count);
    return count;
}

BARSWEEP_HD constexpr Bar bar_at(View<const i64> ohlc, i64 row)
{
    return {ohlc[4 * row], ohlc[4 * row + 1], ohlc[4 * row + 2], ohlc[4 * row + 3]};
}

/// Runs account `i` over the window. `sink(account, leg, row)` is told of every leg.
template <class Sink>
BARSWEEP_HD constexpr void run_account(const BacktestArgs& args, i64 i, Sink&& sink)
{
    const Rules rules = args.rules[i];
    const i64 bars = args.last - args.first + 1;
    const i64* wanted = args.wanted.data + i * (bars - 1);
    Curve curve{rules.initial, args.first - 1,
                args.equity.size == 0 ? nullptr : args.equity.data + i * bars};
    BacktestTotals totals;
    Account a = fresh_account(rules);
    Tally<Sink> tally{totals, sink, args.first, rules.initial};

    curve.push(rules.initial);  // the first bar only decides
    for (i64 t = args.first; t < args.last;) {
        if (totals.ruined) {
            curve.push(a.cash);
            ++t;
            continue;
        }
        const i64 left = args.last - t;
        const int most = left < curve.room() ? static_cast<int>(left) : curve.room();
        const int quiet =
            quiet_decisions(rules, a, wanted + (t - args.first), args.price_bound, most);
        const int held = quiet == 0 ? 0 : hold(rules, a, args.close.data + t + 1, quiet, curve);
        if (a.lots != 0) totals.bars_in_market += held;
        t += held;
        if (held > 0 && held == quiet) continue;

        tally.bar = t + 1;
        const Step step = advance(rules, a, bar_at(args.ohlc, t), bar_at(args.ohlc, t + 1),
                                  args.sigma[t], wanted[t - args.first], tally);
        if (step.status != Status::good) {
            totals.status = step.status;
            totals.stopped_bar = t + 1;
            break;
        }
        if (step.terminated) {
            totals.ruined = true;
            totals.stopped_bar = t + 1;
        }
        totals.bars_in_market += a.lots != 0;
        curve.push(step.equity);
        ++t;
    }
    curve.finish();

    totals.bars = bars;
    totals.final_equity = curve.last();
    totals.costs = a.costs;
    totals.open_lots = a.lots;
    totals.drawdown = curve.deepest();
    totals.returns = curve.returns();
    args.totals[i] = totals;
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
