#include "kernels/backtest.hpp"

#include <gtest/gtest.h>

#include "random_market.hpp"

namespace barsweep::kernels {
namespace {

/// A case as the kernel's columns.
struct Columns {
    explicit Columns(const RandomCase& made) : sigma{made.sigma}, wanted{made.wanted}
    {
        for (const auto& bar : made.bars) {
            ohlc.insert(ohlc.end(), {bar.open, bar.high, bar.low, bar.close});
            open.push_back(bar.open);
            close.push_back(bar.close);
            bound = std::max(bound, bar.high);
        }
        wanted.pop_back();
    }

    std::vector<i64> ohlc, open, close, sigma, wanted;
    i64 bound = 0;
};

template <class T>
View<const T> view(const std::vector<T>& column)
{
    return {column.data(), static_cast<i64>(column.size())};
}

struct Ran {
    BacktestTotals totals;
    std::vector<i64> equity;
};

Ran run(const RandomCase& made)
{
    const Columns columns{made};
    Ran ran;
    ran.equity.resize(made.bars.size());
    BacktestArgs args;
    args.ohlc = view(columns.ohlc);
    args.open = view(columns.open);
    args.close = view(columns.close);
    args.sigma = view(columns.sigma);
    args.wanted = view(columns.wanted);
    args.rules = {&made.rules, 1};
    args.last = static_cast<i64>(made.bars.size()) - 1;
    args.price_bound = columns.bound;
    args.totals = {&ran.totals, 1};
    args.equity = {ran.equity.data(), static_cast<i64>(ran.equity.size())};
    backtest_one(args, 0);
    return ran;
}

/// The same by `advance` alone, bar by bar, the statistics as their definitions have them.
Ran run_plainly(const RandomCase& made)
{
    Ran ran;
    auto& totals = ran.totals;
    Account a = fresh_account(made.rules);
    ran.equity.push_back(made.rules.initial);
    i64 flat_cash = a.cash;
    bool order = false;
    const auto sink = [&](const Account& after, const Leg& leg) {
        totals.fills += !(order && leg.cause == Cause::order);
        order = order || leg.cause == Cause::order;
        totals.turnover += magnitude(i128{leg.lots} * leg.price);
        if (after.lots != 0) return;
        ++totals.trades;
        totals.wins += after.cash > flat_cash;
        totals.losses += after.cash < flat_cash;
        flat_cash = after.cash;
    };
    for (std::size_t t = 0; t + 1 < made.bars.size(); ++t) {
        order = false;
        if (!totals.ruined) {
            const auto step = advance(made.rules, a, made.bars[t], made.bars[t + 1], made.sigma[t],
                                      made.wanted[t], sink);
            totals.ruined = step.terminated;
        }
        totals.bars_in_market += a.lots != 0;
        ran.equity.push_back(a.cash + a.lots * made.bars[t + 1].close);
    }
    totals.costs = a.costs;
    totals.open_lots = a.lots;
    return ran;
}

TEST(Backtest, MarkingQuietStretchesInOneGoEqualsBarByBar)
{
    i64 fills = 0, ruined = 0;
    for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
        const auto made = random_case(seed, seed % 10 == 0 ? 900 : 150);
        const auto fast = run(made);
        const auto plain = run_plainly(made);
        ASSERT_EQ(fast.equity, plain.equity) << "seed " << seed;
        ASSERT_EQ(fast.totals.fills, plain.totals.fills) << "seed " << seed;
        ASSERT_EQ(fast.totals.trades, plain.totals.trades);
        ASSERT_EQ(fast.totals.wins, plain.totals.wins);
        ASSERT_EQ(fast.totals.losses, plain.totals.losses);
        ASSERT_EQ(fast.totals.turnover, plain.totals.turnover);
        ASSERT_EQ(fast.totals.bars_in_market, plain.totals.bars_in_market) << "seed " << seed;
        ASSERT_EQ(fast.totals.costs, plain.totals.costs);
        ASSERT_EQ(fast.totals.open_lots, plain.totals.open_lots);
        ASSERT_EQ(fast.totals.ruined, plain.totals.ruined);
        ASSERT_EQ(fast.totals.final_equity, plain.equity.back());
        fills += fast.totals.fills;
        ruined += fast.totals.ruined;
    }
    EXPECT_GT(fills, 10'000);
    EXPECT_GT(ruined, 100);
}

TEST(Backtest, TheNetOfAllTripsIsTheMoneyMadeWhenEndedFlat)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        auto made = random_case(seed, 200);
        std::fill(made.wanted.end() - 5, made.wanted.end(), 0);
        const auto ran = run(made);
        ASSERT_EQ(ran.totals.open_lots, 0);
        ASSERT_EQ(ran.totals.gross_profit - ran.totals.gross_loss,
                  ran.totals.final_equity - made.rules.initial);
    }
}

TEST(Backtest, TheDeepestDrawdownIsThatOfAPlainScan)
{
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const auto made = random_case(seed, seed % 5 == 0 ? 1'100 : 100);
        const auto ran = run(made);
        double deepest = 0;
        i64 peak = made.rules.initial;
        for (const i64 equity : ran.equity) {
            peak = std::max(peak, equity);
            deepest = std::max(deepest, ratio(i128{peak} - equity, peak));
        }
        ASSERT_EQ(ran.totals.drawdown.depth(), deepest) << "seed " << seed;
    }
}

TEST(Backtest, OverflowStopsTheRunAtItsBar)
{
    auto made = random_case(5, 50);
    made.rules = Rules{};
    made.rules.initial = 1'000'000;
    made.rules.unit_lots = i64{1} << 40;
    made.rules.barrier = Barrier::off;
    made.rules.ruin_ppm = 0;
    std::fill(made.wanted.begin(), made.wanted.end(), 0);
    for (auto& bar : made.bars) bar = {1'000, 1'000, 1'000, 1'000};
    made.bars[30] = {1'000, i64{1} << 24, 1'000, i64{1} << 24};
    std::fill(made.wanted.begin() + 20, made.wanted.end(), 1'000'000);
    const auto ran = run(made);
    EXPECT_EQ(ran.totals.status, Status::overflow);
    EXPECT_EQ(ran.totals.stopped_bar, 30);
    EXPECT_EQ(ran.totals.open_lots, i64{1} << 40);
}

Curve curve_of(const std::vector<i64>& equity)
{
    Curve curve{1'000, -1};
    for (const i64 e : equity) curve.push(e);
    curve.finish();
    return curve;
}

TEST(Curve, ADrawdownLastsFromItsPeakToTheCloseThatRegainsIt)
{
    const auto fall = curve_of({1'000, 1'100, 990, 1'050, 1'100, 1'090}).deepest();
    EXPECT_EQ(fall.peak, 1'100);
    EXPECT_EQ(fall.trough, 990);
    EXPECT_EQ(fall.peak_bar, 1);
    EXPECT_EQ(fall.bars, 3);
    EXPECT_FALSE(fall.open);
    EXPECT_EQ(fall.depth(), 0.1);
}

TEST(Curve, ADrawdownThatIsNotRegainedStaysOpenToTheEnd)
{
    std::vector<i64> equity{1'000, 1'200};
    equity.resize(700, 1'100);
    equity[650] = 900;
    const auto fall = curve_of(equity).deepest();
    EXPECT_EQ(fall.depth(), 0.25);
    EXPECT_EQ(fall.bars, 698);
    EXPECT_TRUE(fall.open);
}

TEST(Curve, TheInitialMoneyIsAPeak)
{
    const auto fall = curve_of({900, 950}).deepest();
    EXPECT_EQ(fall.peak, 1'000);
    EXPECT_EQ(fall.peak_bar, -1);
    EXPECT_EQ(curve_of({1'000, 1'000}).deepest().depth(), 0);
}

TEST(Curve, AfterMoneyIsGoneReturnsAreNought)
{
    const auto returns = curve_of({500, 0, 0, 0}).returns();
    EXPECT_EQ(returns.count, 4);
    EXPECT_EQ(returns.mean, (-0.5 - 1.0) / 4);
}

}  // namespace
}  // namespace barsweep::kernels
