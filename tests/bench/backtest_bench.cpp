// Rule backtests with every metric, one core:
// name,bars,strategies,seconds,strategy_bars_per_second. Fixed size, no barriers, a spread; the
// best of five. `wants` is making the rule's decisions, `backtest` the account and its metrics over
// given ones, `both` what a trial of a sweep costs.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>

#include "base/random.hpp"
#include "sim/backtest.hpp"

using namespace barsweep;

namespace {

constexpr std::int64_t bar_count = 300'000;
constexpr int strategies = 64;

/// A walk of closes around 1.00000, open at the close before.
bars::BarSeries walk()
{
    RandomStream random{1, Purpose::synthetic_bars};
    bars::BarSeries series;
    series.price_decimals = 5;
    std::int64_t close = 100'000;
    for (std::int64_t i = 0; i < bar_count; ++i) {
        const auto open = close;
        close =
            std::max<std::int64_t>(1'000, open + static_cast<std::int64_t>(random.below(41)) - 20);
        series.time.push_back(i * 60'000'000'000);
        series.ohlc.push_back({open, std::max(open, close) + 3, std::min(open, close) - 3, close});
        series.volume.push_back(1);
    }
    series.sigma.assign(bar_count, 100'000);
    return series;
}

void measure(const char* name, const std::function<void(int)>& run)
{
    using Clock = std::chrono::steady_clock;
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        const auto start = Clock::now();
        for (int i = 0; i < strategies; ++i) run(i);
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    std::printf("%s,%ld,%d,%.6f,%.0f\n", name, static_cast<long>(bar_count), strategies, best,
                static_cast<double>(bar_count) * strategies / best);
}

}  // namespace

int main()
{
    const auto market = sim::load_market(device::Backend::cpu, walk());
    const bars::Window window{0, bar_count - 1};
    kernels::Rules rules;
    rules.initial = 100'000 * 100'000L;
    rules.unit_lots = 10'000;
    rules.half_spread_nanoticks = 5'000'000'000;
    rules.barrier = kernels::Barrier::off;
    auto labelled = rules;
    labelled.barrier = kernels::Barrier::label;

    const auto rule = [](int i) { return sim::Rule{10 + i % 8, 50 + i, false}; };
    std::array<sim::Wanted, strategies> wanted;
    for (int i = 0; i < strategies; ++i) {
        wanted[static_cast<std::size_t>(i)] = rule_wants(market, rule(i), window);
    }
    const auto backtest = [&](const kernels::Rules& account, const sim::Wanted& asked) {
        if (run_backtest(market, account, window, asked, 525'600).totals.bars != bar_count)
            std::abort();
    };

    std::puts("name,bars,strategies,seconds,strategy_bars_per_second");
    measure("wants", [&](int i) { rule_wants(market, rule(i), window); });
    measure("backtest", [&](int i) { backtest(rules, wanted[static_cast<std::size_t>(i)]); });
    measure("both", [&](int i) { backtest(rules, rule_wants(market, rule(i), window)); });
    measure("backtest_label_barriers",
            [&](int i) { backtest(labelled, wanted[static_cast<std::size_t>(i)]); });
}
