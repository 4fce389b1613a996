#include "kernels/policy_backtest.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

constexpr i64 bars = 90;
constexpr i64 decisions = bars - 1;

/// One layer, no weights but the biases: level 3 is always the largest.
constexpr i64 worked_level()
{
    const i64 ohlc[] = {100, 100, 100, 100, 100, 100, 100, 100};
    const i64 column[] = {100, 100};
    const i64 sigma[] = {0, 0};
    const float features[] = {1, 2};
    MlpShape shape{1, {9, 5}};
    float parameters[10 * 16] = {};
    parameters[9 * 16 + 3] = 1;
    Rules rules;
    rules.initial = 1000;
    rules.barrier = Barrier::off;
    BacktestTotals totals;
    float scratch[bar_block * 16 + 16] = {};
    i64 wanted[1] = {};
    PolicyBacktestArgs args{};
    args.run.ohlc = {ohlc, 8};
    args.run.open = args.run.close = {column, 2};
    args.run.sigma = {sigma, 2};
    args.run.rules = {&rules, 1};
    args.run.last = 1;
    args.run.totals = {&totals, 1};
    args.features = {features, 2};
    args.feature_count = 1;
    args.shape = shape;
    args.head.levels = 5;
    args.parameters = {parameters, parameter_count(shape)};
    args.scratch = {scratch, policy_scratch(shape)};
    args.wanted = {wanted, 1};
    policy_backtest_one<MultiplyInThread>(args, 0);
    return totals.open_lots == 5 ? wanted[0] : -1;
}
static_assert(worked_level() == 500'000);

std::vector<i64> column(const TestWorld& market, std::size_t index)
{
    std::vector<i64> prices;
    for (std::size_t row = 0; row < bars; ++row) prices.push_back(market.ohlc[4 * row + index]);
    return prices;
}

TEST(PolicyBacktest, AccountsSideBySideAreLedByNetworksOfTheirOwn)
{
    const TestWorld market{bars, 4, {}, 0};
    const auto open = column(market, 0), close = column(market, 3);
    const std::vector<Rules> rules(3, test_rules());
    const MlpShape shape{2, {12, 70, 5}};
    const auto parameters = random_floats(6, 3 * parameter_count(shape));
    const auto run = [&](std::size_t first, std::size_t count, std::vector<BacktestTotals>& totals,
                         std::vector<i64>& wanted) {
        totals.resize(count);
        wanted.resize(count * decisions);
        std::vector<float> scratch(count * static_cast<std::size_t>(policy_scratch(shape)));
        PolicyBacktestArgs args{};
        args.run = {view(market.ohlc),
                    view(open),
                    view(close),
                    view(market.sigma),
                    view(rules),
                    {},
                    0,
                    decisions,
                    0,
                    view(totals),
                    {}};
        args.features = view(market.features);
        args.feature_count = 4;
        args.shape = shape;
    args.head.levels = 5;
        const auto one = parameter_count(shape);
        args.parameters = {parameters.data() + static_cast<i64>(first) * one,
                           static_cast<i64>(count) * one};
        args.scratch = view(scratch);
        args.wanted = view(wanted);
        for (i64 i = 0; i < args.run.totals.size; ++i)
            policy_backtest_one<MultiplyInThread>(args, i);
    };
    std::vector<BacktestTotals> all, alone;
    std::vector<i64> wanted, wanted_alone;
    run(0, 3, all, wanted);
    for (std::size_t i = 0; i < 3; ++i) {
        run(i, 1, alone, wanted_alone);
        const auto row = wanted.begin() + static_cast<i64>(i) * decisions;
        EXPECT_EQ(std::vector<i64>(row, row + decisions), wanted_alone);
        EXPECT_EQ(all[i].final_equity, alone[0].final_equity);
        EXPECT_GT(all[i].fills, 1);
    }
    EXPECT_NE(all[0].final_equity, all[1].final_equity);
}

}  // namespace
}  // namespace barsweep::kernels
