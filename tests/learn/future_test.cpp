#include <gtest/gtest.h>

#include <algorithm>

#include "market.hpp"

namespace barsweep::agents {
namespace {

bars::BarSeries synthesize(bars::SyntheticKind kind, std::uint64_t seed)
{
    bars::SyntheticOptions options;
    options.kind = kind;
    options.seed = seed;
    options.bars = 3'000;
    return bars::synthesize(options);
}

/// `past` up to and with `row`, another market's bars from then on.
bars::BarSeries with_another_future(bars::BarSeries past, std::size_t row)
{
    const auto other = synthesize(bars::SyntheticKind::walk, 100 + row);
    for (auto t = row + 1; t < past.size(); ++t) {
        past.ohlc[t] = other.ohlc[t];
        past.volume[t] = other.volume[t];
    }
    return past;
}

/// A policy that has learned a little, and how it is shown bars: a job's scaling stays as fitted.
struct Decider {
    Market market;
    LearnerPlan plan;
    sim::Policy policy;
    Stored (*shown)(Stored);

    sim::Wanted decisions(const bars::BarSeries& series, bars::Window window) const
    {
        auto stored = shown(ingest(series));
        bars::apply_scaling(stored.features, market.set.scaling);
        const device::Buffer<float> features{device::Backend::cpu,
                                             std::span<const float>{stored.features}};
        sim::Wanted wanted;
        sim::run_policy(sim::load_market(device::Backend::cpu, stored.series), features, policy,
                        plan.rules, window, 1, nullptr, &wanted);
        return wanted;
    }
};

/// How often, in futures replaced after every 97th row, the decisions up to that row were others,
/// and those after it.
struct Changes {
    int futures = 0, past = 0, after = 0;
};

Changes changes(Stored (*shown)(Stored))
{
    const auto series = synthesize(bars::SyntheticKind::sine, 1);
    auto market = market_of(shown(ingest(series)));
    DqnConfig config;
    config.hidden = {32, 32};
    const auto plan = plan_of(market, config, account_of({2, 1}), 1, 8'000);
    auto policy = learned(market, plan);
    const auto window = market.windows.test;
    const Decider decider{std::move(market), plan, std::move(policy), shown};
    const auto told = decider.decisions(series, window);

    Changes seen;
    for (auto row = window.first + 30; row < window.last - 30; row += 97) {
        const auto other = with_another_future(series, static_cast<std::size_t>(row));
        const auto wanted = decider.decisions(other, window);
        const auto known = row - window.first + 1;  // decisions at rows up to `row`
        ++seen.futures;
        seen.past += !std::equal(told.begin(), told.begin() + known, wanted.begin());
        seen.after += !std::equal(told.begin() + known, told.end(), wanted.begin() + known);
    }
    return seen;
}

TEST(Future, AnotherOneChangesNoDecisionBeforeIt)
{
    const auto seen = changes([](Stored stored) { return stored; });
    EXPECT_GE(seen.futures, 5);
    EXPECT_EQ(seen.past, 0);
    EXPECT_EQ(seen.after, seen.futures);
}

TEST(Future, OneBarOfLookAheadIsCaught)
{
    const auto seen = changes(with_look_ahead);
    EXPECT_GT(seen.past, 0);
    EXPECT_EQ(seen.after, seen.futures);
}

}  // namespace
}  // namespace barsweep::agents
