#include "support/optimum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "market.hpp"

namespace barsweep::agents {
namespace {

using kernels::i64;

Market walk(std::int64_t bars)
{
    bars::SyntheticOptions options;
    options.bars = bars;
    options.volatility = 0.01;
    return market_of(ingest(bars::synthesize(options)));
}

/// Three levels (an asymmetric one among them), spread, fee and carry.
kernels::Rules costly()
{
    kernels::Rules rules;
    rules.initial = 1'000'000'000;
    rules.unit_lots = 7;
    rules.level_count = 3;
    rules.levels_ppm[0] = -1'000'000;
    rules.levels_ppm[1] = 0;
    rules.levels_ppm[2] = 2'000'000;
    rules.half_spread_nanoticks = 1'234'567'891'011;
    rules.rate_ppb = 54'321;
    rules.carry_short_ppb = 98'765;
    return rules;
}

i64 profit(const Market& market, const kernels::Rules& rules, bars::Window window,
           const sim::Wanted& wanted)
{
    return sim::run_backtest(market.set.market, rules, window, wanted, 1).totals.final_equity -
           rules.initial;
}

/// Of all sequences of levels, as a number in base level_count.
i64 best_of_all(const Market& market, const kernels::Rules& rules, bars::Window window)
{
    i64 best = std::numeric_limits<i64>::min();
    sim::Wanted wanted(static_cast<std::size_t>(window.decisions()));
    i64 sequences = 1;
    for (std::size_t t = 0; t < wanted.size(); ++t) sequences *= rules.level_count;
    for (i64 sequence = 0; sequence < sequences; ++sequence) {
        i64 rest = sequence;
        for (auto& level : wanted) {
            level = rules.levels_ppm[rest % rules.level_count];
            rest /= rules.level_count;
        }
        best = std::max(best, profit(market, rules, window, wanted));
    }
    return best;
}

TEST(Optimum, IsTheBestOfAllSequencesOfSevenDecisions)
{
    const auto market = walk(400);
    for (i64 first = 240; first < 390; first += 10) {
        const bars::Window window{first, first + 7};
        EXPECT_EQ(sim::optimum_of(market.set.market, costly(), window).profit,
                  best_of_all(market, costly(), window))
            << first;
    }
}

TEST(Optimum, IsWhatABacktestOfItsLevelsMakes)
{
    const auto market = walk(4'000);
    for (const i64 spread : {i64{0}, i64{1'000'000'000'000}, i64{9'876'543'210'123}}) {
        auto rules = costly();
        rules.half_spread_nanoticks = spread;
        const auto optimum = sim::optimum_of(market.set.market, rules, market.windows.test);
        EXPECT_EQ(optimum.profit, profit(market, rules, market.windows.test, optimum.wanted));
        EXPECT_GT(optimum.profit, 0);
    }
}

TEST(Optimum, RefusesRulesThatMoneyIsNotAdditiveUnder)
{
    const auto market = walk(400);
    auto by_equity = costly();
    by_equity.unit_lots = 0;
    auto closing = costly();
    closing.barrier = kernels::Barrier::exit;
    auto nothing = costly();
    nothing.levels_ppm[2] = 100'000;  // of 7 lots
    for (const auto& rules : {by_equity, closing, nothing})
        EXPECT_THROW(sim::optimum_of(market.set.market, rules, {240, 250}), std::logic_error);
}

}  // namespace
}  // namespace barsweep::agents
