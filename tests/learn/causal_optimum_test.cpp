#include "support/causal_optimum.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "market.hpp"
#include "support/optimum.hpp"

namespace barsweep::agents {
namespace {

/// Price units from the centre at which the policy turns from short to long.
double turning_point(const sim::CausalPolicy& policy)
{
    const auto centre = static_cast<kernels::i64>(policy.centre);
    kernels::i64 down = 0;
    while (policy.level_at(centre - down, -1'000'000) < 0) ++down;
    return static_cast<double>(down) / 1e4;
}

/// What J. de Lataillade, C. Deremble, M. Potters, J.-P. Bouchaud, "Optimal trading with linear
/// costs", 2012 (arXiv 1203.5957) find for a position capped on both sides and a predictor p with
/// dp = -e p dt + b dW at a cost of `cost` a unit: turn at the p where
/// e * cost = p - b / sqrt(e) * D(p sqrt(e) / b), D Dawson's integral. For ou bars p = e * distance
/// and b = e * volatility. Returned as a distance. Bars are lived one by one, not without a break;
/// what that takes off a barrier is 0.5826 deviations of a bar (H. Chernoff, "Sequential tests for
/// the mean of a normal distribution IV", Annals of Mathematical Statistics 36, 1965).
double published_turning_point(double reversion, double volatility, double cost)
{
    const double beta = reversion * volatility;
    const auto worth = [&](double p) {  // of waiting no longer at p: e * cost is to equal it
        const double x = p * std::sqrt(reversion) / beta;
        double dawson = 0;
        constexpr int parts = 2'000;
        for (int k = 0; k < parts; ++k) {
            const double t = x * (k + 0.5) / parts;
            dawson += std::exp(t * t - x * x) * x / parts;
        }
        return p - beta / std::sqrt(reversion) * dawson;
    };
    double low = 0, high = 100 * beta / std::sqrt(reversion);
    while (high - low > 1e-12) {
        const double middle = (low + high) / 2;
        (worth(middle) < reversion * cost ? low : high) = middle;
    }
    return low / reversion - 0.5826 * volatility;
}

bars::SyntheticOptions reverting(double reversion)
{
    bars::SyntheticOptions ou;
    ou.kind = bars::SyntheticKind::ou;
    ou.reversion = reversion;
    return ou;
}

/// `spread`: price units, the full one.
kernels::Rules paying(double spread)
{
    kernels::Rules rules;
    rules.initial = 1'000'000'000'000;
    rules.unit_lots = 100;
    rules.half_spread_nanoticks = static_cast<kernels::i64>(spread / 2 * 1e4 * 1e9);
    return rules;
}

TEST(CausalOptimum, TurnsAtThePublishedThresholdForLinearCosts)
{
    for (const double reversion : {0.004, 0.02}) {
        for (const double spread : {0.02, 0.1, 0.5}) {
            const auto policy = sim::causal_optimum(reverting(reversion), paying(spread));
            EXPECT_NEAR(turning_point(policy), published_turning_point(reversion, 0.1, spread / 2),
                        policy.step / 1e4)
                << reversion << ", " << spread;
        }
    }
}

/// Long below -threshold, short above it, price units; between them as it is.
sim::Wanted by_threshold(const Market& market, bars::Window window, double threshold)
{
    sim::Wanted wanted;
    std::int64_t level = 0;
    for (auto row = window.first; row < window.last; ++row) {
        const double away = static_cast<double>(market.set.market.close.read()[row]) / 1e4 - 100;
        if (std::abs(away) > threshold) level = away > 0 ? -1'000'000 : 1'000'000;
        wanted.push_back(level);
    }
    return wanted;
}

/// On one path of 20,000 bars: better than its neighbours and than trading on every sign, and less
/// than who knows the noise makes.
TEST(CausalOptimum, NoOtherThresholdDoesBetterAndHindsightDoes)
{
    auto ou = reverting(0.02);
    ou.bars = 20'000;
    const auto rules = paying(0.1);
    const auto policy = sim::causal_optimum(ou, rules);
    const auto market = market_of(ingest(bars::synthesize(ou)));
    const bars::Window window{240, ou.bars - 1};
    const auto wanted = sim::causal_levels(policy, market.set.market, window);
    const double best = sim::expected_profit(policy, market.set.market, window, wanted);
    const double turning = turning_point(policy);
    for (const double factor : {0.0, 0.4, 2.5}) {
        EXPECT_LT(sim::expected_profit(policy, market.set.market, window,
                                       by_threshold(market, window, factor * turning)),
                  best)
            << factor;
    }
    const auto& run = sim::run_backtest(market.set.market, rules, window, wanted, 1).totals;
    EXPECT_NEAR(static_cast<double>(run.final_equity - rules.initial), best, 0.25 * best);
    EXPECT_LT(best, static_cast<double>(sim::optimum_of(market.set.market, rules, window).profit));
}

TEST(CausalOptimum, RefusesWhatItIsNotFor)
{
    auto walk = reverting(0.02);
    walk.kind = bars::SyntheticKind::walk;
    EXPECT_THROW(sim::causal_optimum(walk, paying(0.1)), std::logic_error);
    auto by_equity = paying(0.1);
    by_equity.unit_lots = 0;
    EXPECT_THROW(sim::causal_optimum(reverting(0.02), by_equity), std::logic_error);
}

}  // namespace
}  // namespace barsweep::agents
