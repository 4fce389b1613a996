#include "sim/backtest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sim/metrics.hpp"

namespace barsweep::sim {
namespace {

using kernels::i64;
using testing::HasSubstr;

/// Bars that open at the close before and touch nothing else.
bars::BarSeries series_of(const std::vector<i64>& closes)
{
    bars::BarSeries series;
    i64 open = closes.front();
    for (std::size_t t = 0; t < closes.size(); ++t) {
        const i64 close = closes[t];
        series.time.push_back(static_cast<i64>(t));
        series.ohlc.push_back({open, std::max(open, close), std::min(open, close), close});
        series.volume.push_back(0);
        series.sigma.push_back(1'000'000);
        open = close;
    }
    return series;
}

Market market_of(const std::vector<i64>& closes)
{
    return load_market(device::Backend::cpu, series_of(closes));
}

kernels::Rules one_lot(i64 initial)
{
    kernels::Rules rules;
    rules.initial = initial;
    rules.unit_lots = 1;
    rules.barrier = kernels::Barrier::off;
    rules.ruin_ppm = 0;
    return rules;
}

constexpr i64 up = 1'000'000;

bars::Window whole(const Market& market)
{
    return {0, market.bars() - 1};
}

TEST(Rule, FirstDecidesOnTheBarThatCompletesTheSlowAverage)
{
    const auto market = market_of({10, 20, 30, 30, 30, 10, 10, 10});
    // averages of 1 and 3 closes: 30>20, 30>26.7, 30=30 (unchanged), 10<23.3, 10<16.7
    EXPECT_EQ(rule_wants(market, {1, 3, false}, whole(market)),
              (Wanted{0, 0, up, up, up, -up, -up}));
    EXPECT_EQ(rule_wants(market, {1, 3, true}, whole(market)), (Wanted{0, 0, up, up, up, 0, 0}));
}

TEST(Rule, AWindowThatStartsLaterHasItsAveragesAtOnce)
{
    const auto market = market_of({10, 20, 30, 40, 50, 60});
    EXPECT_EQ(rule_wants(market, {1, 3, false}, {3, 5}), (Wanted{up, up}));
    EXPECT_EQ(rule_wants(market, {1, 3, false}, {1, 5}), (Wanted{0, up, up, up}));
    EXPECT_EQ(rule_wants(market, {1, 30, false}, {0, 5}), Wanted(5, 0));
}

TEST(Rule, ComparesExactlyWherePricesAreLarge)
{
    const i64 large = i64{1} << 58;
    const auto market = market_of({large, large, large + 1, large + 1, large - 1});
    EXPECT_EQ(rule_wants(market, {1, 2, false}, whole(market)), (Wanted{0, 0, up, up}));
}

TEST(Backtest, EveryMetricOfARunWorkedByHand)
{
    // long 1 from the open of bar 1 (100) to the open of bar 4: equity 1000 1000 1010 1005 1020
    // 1020
    const auto market = market_of({100, 100, 110, 105, 120, 120});
    std::vector<FillRow> fills;
    std::vector<i64> equity;
    const Wanted wanted{up, up, up, up, 0};
    const auto result =
        run_backtest(market, one_lot(1'000), whole(market), wanted, 252, &fills, &equity);

    EXPECT_EQ(equity, (std::vector<i64>{1'000, 1'000, 1'010, 1'005, 1'020, 1'020}));
    ASSERT_EQ(fills.size(), 2u);
    EXPECT_EQ(fills[0].price, 100);
    EXPECT_EQ(fills[1].bar, 5);
    EXPECT_EQ(fills[1].cash_after, 1'020);
    const double r[] = {0, 0, 10.0 / 1'000, -5.0 / 1'010, 15.0 / 1'005, 0};
    double mean = 0, m2 = 0;
    for (const double x : r) mean += x / 6;
    for (const double x : r) m2 += (x - mean) * (x - mean);
    const auto& m = result.metrics;
    EXPECT_NEAR(m.at("sharpe"), mean / std::sqrt(m2 / 5) * std::sqrt(252), 1e-12);
    EXPECT_NEAR(m.at("sortino"), mean / std::sqrt(r[3] * r[3] / 6) * std::sqrt(252), 1e-11);
    EXPECT_NEAR(m.at("volatility"), std::sqrt(m2 / 5 * 252), 1e-14);
    EXPECT_DOUBLE_EQ(m.at("total_return"), 0.02);
    EXPECT_NEAR(m.at("cagr"), std::pow(1.02, 252 / 6.0) - 1, 1e-12);
    EXPECT_DOUBLE_EQ(m.at("max_drawdown"), 5.0 / 1'010);
    EXPECT_DOUBLE_EQ(m.at("max_drawdown_bars"), 2);
    EXPECT_NEAR(m.at("calmar"), m.at("cagr") / (5.0 / 1'010), 1e-9);
    EXPECT_DOUBLE_EQ(m.at("win_rate"), 1);
    EXPECT_DOUBLE_EQ(m.at("average_trade"), 0.02);
    EXPECT_DOUBLE_EQ(m.at("turnover"), 0.22);
    EXPECT_DOUBLE_EQ(m.at("exposure"), 4.0 / 6);
    EXPECT_EQ(result.reasons.at("profit_factor"), "no round trip lost");
}

TEST(Backtest, EveryMetricOfARunIsOneOfThoseThatAreListed)
{
    const auto market = market_of({100, 100, 110, 105, 120, 120});
    const auto result =
        run_backtest(market, one_lot(1000), whole(market), Wanted{up, up, up, up, 0}, 252);
    std::vector<std::string> told;
    for (const auto& [name, value] : result.metrics) told.push_back(name);
    for (const auto& [name, reason] : result.reasons) told.push_back(name);
    EXPECT_THAT(metric_names(), testing::UnorderedElementsAreArray(told));
}

TEST(Backtest, WithoutATradeRatiosAreUndefinedWithTheirReason)
{
    const auto market = market_of({100, 101, 99, 100});
    const auto result = run_backtest(market, one_lot(1'000), whole(market), {0, 0, 0}, 252);
    EXPECT_EQ(result.metrics.count("sharpe"), 0u);
    EXPECT_THAT(result.reasons.at("sharpe"), HasSubstr("do not vary"));
    EXPECT_THAT(result.reasons.at("sortino"), HasSubstr("no bar lost"));
    EXPECT_EQ(result.reasons.at("win_rate"), "no round trip");
    EXPECT_EQ(result.reasons.at("calmar"), "no drawdown");
    EXPECT_EQ(result.metrics.at("total_return"), 0);
    EXPECT_EQ(result.metrics.at("max_drawdown"), 0);
}

TEST(Backtest, ConstantGrowthHasNoSharpe)
{
    // 0.1 % a bar to the last digit that money has: the deviation is rounding alone
    std::vector<i64> closes{1'000'000'000'000'000};
    while (closes.size() < 20) closes.push_back(closes.back() / 1'000 * 1'001);
    auto rules = one_lot(closes.front());
    rules.fill = kernels::Fill::close;
    const auto market = market_of(closes);
    const auto result = run_backtest(market, rules, {1, 19}, Wanted(18, up), 252);
    const auto constant = run_backtest(market, rules, {0, 19}, Wanted(19, up), 252);
    EXPECT_TRUE(result.metrics.contains("sharpe")) << "the first return, 0, is the only other one";
    EXPECT_NEAR(constant.totals.returns.mean, 0.00095, 1e-9);
}

TEST(Backtest, OneBarHasNoSharpeAndNoTrade)
{
    const auto market = market_of({100});
    const auto result = run_backtest(market, one_lot(1'000), {0, 0}, {}, std::nan(""));
    EXPECT_EQ(result.totals.bars, 1);
    EXPECT_EQ(result.reasons.at("sharpe"), "fewer than two bars");
    EXPECT_EQ(result.reasons.at("cagr"), "bars a year are unknown");
}

TEST(Backtest, ARuinedAccountStaysFlatToTheEndAndSaysWhere)
{
    auto rules = one_lot(100);
    rules.ruin_ppm = 500'000;
    const auto market = market_of({100, 100, 100, 50, 300});  // ruin is at 50
    std::vector<i64> equity;
    const auto result =
        run_backtest(market, rules, whole(market), {up, up, up, up}, 252, nullptr, &equity);
    EXPECT_EQ(equity, (std::vector<i64>{100, 100, 100, 50, 50}));
    EXPECT_TRUE(result.totals.ruined);
    EXPECT_EQ(result.totals.stopped_bar, 3);
    EXPECT_EQ(result.totals.returns.count, 5);
    EXPECT_TRUE(result.totals.drawdown.open);
}

TEST(Backtest, OverflowNamesBarAndValues)
{
    auto rules = one_lot(1'000'000);
    rules.unit_lots = i64{1} << 40;
    const auto market = market_of({1'000, 1'000, i64{1} << 25});
    try {
        run_backtest(market, rules, whole(market), {up, up}, 252);
        FAIL() << "a wrong number";
    } catch (const std::overflow_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("overflow at bar 2"));
        EXPECT_THAT(error.what(), HasSubstr("1099511627776 lots before it"));
        EXPECT_THAT(error.what(), HasSubstr("33554432 ticks; 1000000 ppm"));
    }
}

TEST(Backtest, RecordingFillsChangesNothing)
{
    std::vector<i64> closes;
    for (i64 t = 0; t < 2'000; ++t) closes.push_back(1'000 + t * t % 97 + t % 61);
    const auto market = market_of(closes);
    const auto wanted = rule_wants(market, {3, 9, false}, whole(market));
    std::vector<FillRow> fills;
    const auto quick = run_backtest(market, one_lot(1'000'000), whole(market), wanted, 252);
    const auto slow = run_backtest(market, one_lot(1'000'000), whole(market), wanted, 252, &fills);
    EXPECT_GT(fills.size(), 100u);
    EXPECT_EQ(static_cast<i64>(fills.size()), quick.totals.fills);
    EXPECT_EQ(quick.metrics, slow.metrics);
    EXPECT_EQ(fills.back().lots_after, quick.totals.open_lots);
}

}  // namespace
}  // namespace barsweep::sim
