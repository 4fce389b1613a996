#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "market.hpp"

namespace barsweep::agents {
namespace {

constexpr std::uint64_t markets = 20;

/// Profits of the greedy policy on the test windows of walks 1 to 20, each with a trial of its own.
struct Profits {
    double mean = 0;            ///< share of the initial money
    double standard_error = 0;  ///< of the mean

    double statistic() const { return mean / standard_error; }
};

/// Without costs, so that profit is gross. The walk is a martingale at closes and opens alike:
/// whatever a policy does by what it knew, it expects nothing.
Profits profits_on_walks(Stored (*shown)(Stored))
{
    DqnConfig config;
    config.hidden = {32, 32};
    double sum = 0, squares = 0;
    for (std::uint64_t seed = 1; seed <= markets; ++seed) {
        bars::SyntheticOptions options;
        options.seed = seed;
        const auto market = market_of(shown(ingest(bars::synthesize(options))));
        const auto plan = plan_of(market, config, account_of({}), seed, 16'000);
        const auto& totals =
            run_greedy(market, plan, learned(market, plan), market.windows.test).totals;
        EXPECT_EQ(totals.costs, 0);
        EXPECT_GT(totals.fills, 0) << seed;
        const double profit =
            kernels::ratio(totals.final_equity - plan.rules.initial, plan.rules.initial);
        sum += profit;
        squares += profit * profit;
    }
    const double n = markets;
    const double variance = (squares - sum * sum / n) / (n - 1);
    const Profits profits{sum / n, std::sqrt(variance / n)};
    fmt::print("mean {:.5f}, standard error {:.5f}, statistic {:.2f}\n", profits.mean,
               profits.standard_error, profits.statistic());
    return profits;
}

/// By chance alone an honest agent fails once in 136 (Student's t of 19 degrees beyond 3). The
/// seeds are fixed and were not chosen: -2.74. On walks 101 to 160 it was -1.35, on 1,001 to 1,120
/// 0.36: the first twenty were bad luck.
TEST(Walk, ThereIsNothingToWin)
{
    EXPECT_LT(std::abs(profits_on_walks([](Stored stored) { return stored; }).statistic()), 3);
}

/// The same measure of agents that see one bar ahead. Seen: 35.8.
TEST(Walk, OneBarOfLookAheadIsCaught)
{
    EXPECT_GT(profits_on_walks(with_look_ahead).statistic(), 10);
}

}  // namespace
}  // namespace barsweep::agents
