#include "cli/estimate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sim/market.hpp"

namespace barsweep::cli {
namespace {

std::int64_t saturating_product(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max()
                                                  : product;
}

std::int64_t count_grid(const search::Space& space)
{
    std::int64_t points = 1;
    for (const auto& parameter : space.parameters)
        points = saturating_product(points, search::count_values(parameter.distribution));
    return points;
}

/// Decisions of one trial that is never cut.
std::int64_t bars_a_trial(const Job& job)
{
    std::int64_t bars = job.windows.validation.decisions();
    for (std::size_t i = 0; i + 1 < job.plan.rungs.size(); ++i) bars += job.plan.rungs[i];
    return bars;
}

/// Bars that one trial computed; 0 where its configuration can't be or its account stopped, which
/// fails that trial alone.
std::int64_t run_trial(const Job& job, const bars::BarSeries& series, const sim::Market& market,
                       const search::Params& params, bars::Window window)
try {
    const auto trial = resolve_trial(job, series, job.ppy, params);
    const auto wanted = sim::rule_wants(market, trial.rule, window);
    sim::run_backtest(market, trial.account.rules, window, wanted, job.ppy);
    return window.decisions();
} catch (const std::runtime_error&) {
    return 0;
}

/// Over the study's own first trials: what a bar costs depends on how they trade.
double measure(const Job& job, const bars::BarSeries& series)
{
    using Clock = std::chrono::steady_clock;
    const auto market = sim::load_market(device::Backend::cpu, series);
    const search::Sampler sampler{job.plan.sampler, job.plan.space};
    auto window = job.windows.train;
    window.last = std::min(window.last, window.first + 100'000);

    std::int64_t bars = 0;
    const auto begun = Clock::now();
    std::chrono::duration<double> elapsed{};
    for (std::int64_t number = 0; number < job.plan.trials && elapsed.count() < 0.2; ++number) {
        const auto params = sampler.draw(number, {});
        if (!params) break;
        bars += run_trial(job, series, market, *params, window);
        elapsed = Clock::now() - begun;
    }
    return bars > 0 ? static_cast<double>(bars) / elapsed.count() : std::nan("");
}

/// Bytes: the series as read (7 columns of prices, times, volume, sigma), the market beside it (6),
/// and for each of two threads what a window's decisions ask for.
std::int64_t memory_of(const Job& job, const bars::BarSeries& series)
{
    const auto rows = static_cast<std::int64_t>(series.size());
    return rows * 8 * (7 + 6) + 2 * 8 * job.windows.train.bars();
}

}  // namespace

Estimate estimate(const Job& job, const bars::BarSeries& series)
{
    Estimate result;
    result.grid_points = count_grid(job.plan.space);
    result.trials = job.plan.trials;
    if (job.plan.sampler.kind == search::SamplerKind::grid)
        result.trials = std::min(result.trials, result.grid_points);
    result.bars = saturating_product(result.trials, bars_a_trial(job));
    result.memory = memory_of(job, series);
    result.bars_per_second = measure(job, series);
    return result;
}

}  // namespace barsweep::cli
