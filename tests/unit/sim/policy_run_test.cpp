#include "sim/policy_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "base/random.hpp"
#include "kernels/network.hpp"

namespace barsweep::sim {
namespace {

using kernels::i64;

constexpr i64 rows = 700;
constexpr int feature_count = 6;

std::vector<float> random_floats(std::uint64_t seed, i64 count)
{
    RandomStream random{seed, Purpose::synthetic_bars};
    std::vector<float> all;
    for (i64 i = 0; i < count; ++i) all.push_back(static_cast<float>(2 * random.uniform() - 1));
    return all;
}

bars::BarSeries walk(std::uint64_t seed)
{
    RandomStream random{seed, Purpose::synthetic_bars};
    bars::BarSeries series;
    i64 close = 100'000;
    for (i64 i = 0; i < rows; ++i) {
        const i64 open = close + static_cast<i64>(random.below(101)) - 50;
        close = open + static_cast<i64>(random.below(601)) - 300;
        series.time.push_back(i);
        series.ohlc.push_back({open, std::max(open, close) + static_cast<i64>(random.below(150)),
                               std::min(open, close) - static_cast<i64>(random.below(150)), close});
        series.volume.push_back(1);
        series.sigma.push_back(1'000'000 + static_cast<i64>(random.below(2'000'000)));
    }
    return series;
}

constexpr kernels::Head plain{.levels = 5};

struct Given {
    std::vector<int> hidden;
    kernels::AccountView view;
    kernels::Barrier barrier;
    i64 unit_lots;
    kernels::Head head = plain;
    kernels::Activation activation = kernels::Activation::relu;
    bool layer_norm = false;
};

Policy random_policy(std::uint64_t seed, const Given& given)
{
    Policy policy;
    policy.view = given.view;
    policy.head = given.head;
    policy.shape.activation = given.activation;
    policy.shape.layer_norm = given.layer_norm;
    policy.shape.sizes[0] = feature_count + kernels::account_feature_count(given.view);
    for (const int width : given.hidden) policy.shape.sizes[++policy.shape.layers] = width;
    policy.shape.sizes[++policy.shape.layers] = given.head.outputs();
    policy.parameters = random_floats(seed, kernels::parameter_count(policy.shape));
    return policy;
}

kernels::Rules rules_of(kernels::Barrier barrier, i64 unit_lots)
{
    kernels::Rules rules;
    rules.initial = 10'000'000'000;
    rules.rate_ppb = 20'000;
    rules.half_spread_nanoticks = 500'000'000;
    rules.barrier = barrier;
    rules.hold_bars = 12;
    rules.unit_lots = unit_lots;
    return rules;
}

/// Everything in the totals, floats by their bits.
std::vector<std::int64_t> words(const kernels::BacktestTotals& t)
{
    const auto real = [](double x) { return std::bit_cast<std::int64_t>(x); };
    return {static_cast<i64>(t.gross_profit),
            static_cast<i64>(t.gross_loss),
            static_cast<i64>(t.turnover),
            t.bars,
            t.final_equity,
            t.costs,
            t.open_lots,
            t.fills,
            t.trades,
            t.wins,
            t.losses,
            t.bars_in_market,
            t.drawdown.peak,
            t.drawdown.trough,
            t.drawdown.peak_bar,
            t.drawdown.bars,
            t.drawdown.open,
            t.returns.count,
            real(t.returns.mean),
            real(t.returns.m2),
            real(t.returns.m3),
            real(t.returns.m4),
            real(t.returns.downside),
            t.ruined,
            static_cast<i64>(t.status),
            t.stopped_bar};
}

class PolicyRun : public testing::TestWithParam<Given> {
protected:
    const Market market = load_market(device::Backend::cpu, walk(3));
    const device::Buffer<float> features{
        device::Backend::cpu, std::span<const float>{random_floats(4, rows* feature_count)}};
};

TEST_P(PolicyRun, IsABacktestOfTheLevelsItReports)
{
    const auto given = GetParam();
    const auto rules = rules_of(given.barrier, given.unit_lots);
    for (std::uint64_t seed = 10; seed < 16; ++seed) {
        const auto policy = random_policy(seed, given);
        for (const bars::Window window : {bars::Window{0, rows - 1}, bars::Window{241, 500}}) {
            Wanted wanted;
            const auto led =
                run_policy(market, features, policy, rules, window, 525'600, nullptr, &wanted);
            const auto fed = run_backtest(market, rules, window, wanted, 525'600);
            EXPECT_EQ(words(led.totals), words(fed.totals));
            EXPECT_EQ(led.metrics, fed.metrics);
            EXPECT_EQ(led.reasons, fed.reasons);
        }
    }
}

/// The same decisions by a whole observation through the network at each close.
TEST_P(PolicyRun, DecidesAsTheWholeNetworkDoesAtEachClose)
{
    const auto given = GetParam();
    const auto rules = rules_of(given.barrier, given.unit_lots);
    const auto policy = random_policy(20, given);
    const bars::Window window{5, 300};
    Wanted wanted;
    run_policy(market, features, policy, rules, window, 525'600, nullptr, &wanted);

    auto account = fresh_account(rules);
    std::vector<float> work(static_cast<std::size_t>(work_stride(policy.shape)));
    const auto table = market.ohlc.read();
    for (i64 t = window.first; t < window.last; ++t) {
        std::vector<float> x(features.read().data + t * feature_count,
                             features.read().data + (t + 1) * feature_count);
        x.resize(static_cast<std::size_t>(policy.shape.inputs()));
        const auto bar = bar_at(table, t);
        account_features(rules, account, bar.close, market.sigma.read()[t], policy.view,
                         x.data() + feature_count);
        kernels::forward<kernels::MultiplyInThread>(
            {policy.shape,
             {policy.parameters.data(), static_cast<i64>(policy.parameters.size())},
             {x.data(), policy.shape.inputs()},
             1,
             {work.data(), static_cast<i64>(work.size())}});
        const float* outputs = outputs_of(policy.shape, work.data())[0];
        const i64 level = rules.levels_ppm[greedy_level(policy.head, outputs)];
        ASSERT_EQ(wanted[static_cast<std::size_t>(t - window.first)], level) << t;
        advance(rules, account, bar, bar_at(table, t + 1), market.sigma.read()[t], level,
                kernels::NoSink{});
    }
}

INSTANTIATE_TEST_SUITE_P(
    Policies, PolicyRun,
    testing::Values(Given{{64, 32}, kernels::AccountView::full, kernels::Barrier::exit, 0},
                    Given{{64, 32}, kernels::AccountView::three, kernels::Barrier::label, 1'000},
                    Given{{300}, kernels::AccountView::seed, kernels::Barrier::off, 0},
                    Given{{}, kernels::AccountView::full, kernels::Barrier::off, 50},
                    Given{{9, 8, 7}, kernels::AccountView::full, kernels::Barrier::exit, 20'000},
                    Given{{64, 32},
                          kernels::AccountView::full,
                          kernels::Barrier::exit,
                          0,
                          {.levels = 5, .dueling = true},
                          kernels::Activation::tanh},
                    Given{{40},
                          kernels::AccountView::full,
                          kernels::Barrier::off,
                          0,
                          {.levels = 5,
                           .dueling = true,
                           .distribution = kernels::Distribution::c51,
                           .atoms = 21,
                           .lowest = -1,
                           .highest = 2},
                          kernels::Activation::silu,
                          true},
                    Given{
                        {30, 20},
                        kernels::AccountView::three,
                        kernels::Barrier::label,
                        0,
                        {.levels = 5, .distribution = kernels::Distribution::quantile, .atoms = 9},
                        kernels::Activation::relu,
                        true}));

class Runs : public PolicyRun {};

TEST_P(Runs, WriteFillsDownAndDoNotChangeByIt)
{
    const auto rules = rules_of(GetParam().barrier, 0);
    const auto policy = random_policy(11, GetParam());
    std::vector<FillRow> fills;
    const bars::Window window{0, rows - 1};
    const auto with = run_policy(market, features, policy, rules, window, 525'600, &fills);
    const auto without = run_policy(market, features, policy, rules, window, 525'600);
    EXPECT_EQ(words(with.totals), words(without.totals));
    EXPECT_EQ(static_cast<i64>(fills.size()), with.totals.fills);
    EXPECT_GT(fills.size(), 10u);
}

TEST_P(Runs, AreFlatToTheEndAfterRuin)
{
    auto rules = rules_of(GetParam().barrier, 0);
    rules.ruin_ppm = 999'000;
    const auto policy = random_policy(11, GetParam());
    Wanted wanted;
    const bars::Window window{0, rows - 1};
    const auto led = run_policy(market, features, policy, rules, window, 525'600, nullptr, &wanted);
    ASSERT_TRUE(led.totals.ruined);
    EXPECT_EQ(led.totals.returns.count, rows);
    EXPECT_EQ(words(led.totals),
              words(run_backtest(market, rules, window, wanted, 525'600).totals));
}

/// Policies of one shape and others between them, each with rules of its own.
TEST_P(Runs, OfManyAtOnceAreThoseOfEachAlone)
{
    const Given small{{4}, kernels::AccountView::seed, kernels::Barrier::off, 1};
    std::vector<Policy> policies;
    std::vector<kernels::Rules> rules;
    for (std::uint64_t i = 0; i < 6; ++i) {
        policies.push_back(random_policy(i, i % 3 == 1 ? small : GetParam()));
        rules.push_back(rules_of(GetParam().barrier, 0));
        rules.back().hold_bars += static_cast<i64>(i);
    }
    rules[4].unit_lots = INT64_MAX / 1'000;  // overflows, and is told as such
    std::vector<Entrant> entrants;
    for (std::size_t i = 0; i < 6; ++i) entrants.push_back({&policies[i], rules[i]});
    const bars::Window window{7, rows - 1};
    const auto together = run_policies(market, features, entrants, window, 525'600);
    for (std::size_t i = 0; i < 6; ++i) {
        if (i == 4) {
            EXPECT_EQ(together[i].totals.status, kernels::Status::overflow);
            EXPECT_TRUE(together[i].metrics.empty());
            continue;
        }
        const auto alone = run_policy(market, features, policies[i], rules[i], window, 525'600);
        EXPECT_EQ(words(together[i].totals), words(alone.totals)) << i;
        EXPECT_EQ(together[i].metrics, alone.metrics) << i;
    }
}

TEST_P(Runs, NameTheBarOfAnOverflow)
{
    auto rules = rules_of(kernels::Barrier::off, INT64_MAX / 1'000);
    const auto policy = random_policy(11, GetParam());
    try {
        run_policy(market, features, policy, rules, {0, rows - 1}, 525'600);
        FAIL() << "it ran through";
    } catch (const std::overflow_error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("overflow at bar "));
    }
}

TEST_P(Runs, RefuseANetworkOfAnotherShape)
{
    const auto rules = rules_of(kernels::Barrier::off, 1);
    const bars::Window window{0, rows - 1};
    const Given small{{4}, kernels::AccountView::full, kernels::Barrier::off, 1};
    auto policy = random_policy(11, small);
    policy.view = kernels::AccountView::three;  // leaves five features too many
    EXPECT_THROW(run_policy(market, features, policy, rules, window, 1), std::logic_error);
    policy = random_policy(11, small);
    policy.parameters.pop_back();
    EXPECT_THROW(run_policy(market, features, policy, rules, window, 1), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(Policy, Runs,
                         testing::Values(Given{
                             {64, 32}, kernels::AccountView::full, kernels::Barrier::exit, 0}));

}  // namespace
}  // namespace barsweep::sim
