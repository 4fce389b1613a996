#include "cli/estimate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>

#include "cli/learner_estimate.hpp"
#include "cluster/place.hpp"
#include "sim/market.hpp"

namespace barsweep::cli {
namespace {

constexpr std::int64_t looked_at = 1'000;  // trials at most; the others are taken for the same

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

/// Bars of each rung of a trial: its environment steps; of a rule the decisions it is scored on.
std::vector<std::int64_t> rung_bars(const Job& job)
{
    auto bars = job.plan.rungs;
    if (job.kind == AgentKind::rule)
        bars.back() = job.windows.validation.decisions();
    else
        for (auto i = bars.size(); i-- > 1;) bars[i] -= bars[i - 1];
    return bars;
}

std::vector<search::Trial> first_trials(const Job& job)
{
    search::Sampler sampler{job.plan.sampler, job.plan.space};
    std::vector<search::Trial> trials;
    for (std::int64_t number = 0; number < std::min(job.plan.trials, looked_at); ++number) {
        auto params = sampler.draw(number, {});
        if (!params) break;
        trials.push_back({number, std::move(*params)});
    }
    return trials;
}

/// Bars that one trial computed; 0 where its configuration can't be or its account stopped, which
/// fails that trial alone.
std::int64_t run_trial(const StudyData& data, const search::Params& params, bars::Window window)
try {
    const auto& job = data.job;
    const auto trial = resolve_trial(job, data.series, job.ppy, params);
    const auto wanted = sim::rule_wants(data.market(), trial.rule, window);
    sim::run_backtest(data.market(), trial.account.rules, window, wanted, job.ppy);
    return window.decisions();
} catch (const std::runtime_error&) {
    return 0;
}

/// Seconds a bar, over the study's own first trials: what a bar costs depends on how they trade.
double time_rules(const StudyData& data, const std::vector<search::Trial>& trials)
{
    using Clock = std::chrono::steady_clock;
    auto window = data.job.windows.train;
    window.last = std::min(window.last, window.first + 100'000);
    std::int64_t bars = 0;
    const auto begun = Clock::now();
    std::chrono::duration<double> elapsed{};
    for (const auto& trial : trials) {
        bars += run_trial(data, trial.params, window);
        elapsed = Clock::now() - begun;
        if (elapsed.count() > 0.2) break;
    }
    return bars > 0 ? elapsed.count() / static_cast<double>(bars) : std::nan("");
}

/// Those whose configuration can be; the others fail at once.
std::vector<agents::LearnerPlan> plans_of(const StudyData& data,
                                          const std::vector<search::Trial>& trials)
{
    std::vector<agents::LearnerPlan> plans;
    for (const auto& trial : trials) try {
            plans.push_back(resolve_learner(data.job, data.series, trial));
        } catch (const UserError&) {
            continue;
        }
    return plans;
}

/// Bytes: the series as read (7 columns of prices, times, volume, sigma), the market beside it (6),
/// and for each thread what a window's decisions ask for.
std::int64_t memory_of_rules(const StudyData& data, int threads)
{
    const auto rows = static_cast<std::int64_t>(data.series.size());
    return rows * 8 * (7 + 6) + threads * 8 * data.job.windows.train.bars();
}

/// Seconds on one thread of each rung, the mean of the trials looked at.
RungSeconds mean_of(const std::vector<RungSeconds>& trials, std::size_t rungs)
{
    RungSeconds mean(rungs, trials.empty() ? std::nan("") : 0);
    for (const auto& trial : trials)
        for (std::size_t i = 0; i < rungs; ++i)
            mean[i] += trial[i] / static_cast<double>(trials.size());
    return mean;
}

RungSeconds estimate_rules(const StudyData& data, const std::vector<search::Trial>& trials,
                           Estimate& result)
{
    result.memory = memory_of_rules(data, result.threads);
    const double bar = time_rules(data, trials);
    RungSeconds seconds;
    for (const auto bars : rung_bars(data.job)) seconds.push_back(bar * static_cast<double>(bars));
    return seconds;
}

RungSeconds estimate_learners(const StudyData& data, const std::vector<search::Trial>& trials,
                              Estimate& result)
{
    const auto plans = plans_of(data, trials);
    result.memory = memory_of_learners(data, plans, data.job.slots, result.threads);
    if (plans.empty()) return mean_of({}, data.job.plan.rungs.size());
    return mean_of(time_learners(data, plans, result.threads), data.job.plan.rungs.size());
}

}  // namespace

Estimate estimate(const StudyData& data)
{
    const auto& job = data.job;
    // A sweep starts and loads as this program just did.
    const double begun = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    Estimate result;
    result.seconds = result.seconds_at_most = begun;
    result.grid_points = count_grid(job.plan.space);
    result.trials = job.plan.trials;
    if (job.plan.sampler.kind == search::SamplerKind::grid)
        result.trials = std::min(result.trials, result.grid_points);
    const auto bars = rung_bars(job);
    std::int64_t whole = 0;
    for (const auto rung : bars) whole += rung;
    result.bars = saturating_product(result.trials, whole);
    result.threads = static_cast<int>(std::min<std::int64_t>(
        {cluster::computing_threads(), job.slots, std::max<std::int64_t>(1, result.trials)}));

    const auto trials = first_trials(job);
    const auto seconds = job.kind == AgentKind::rule ? estimate_rules(data, trials, result)
                                                     : estimate_learners(data, trials, result);
    const auto shares = rung_shares(job.plan);
    const auto count = static_cast<double>(result.trials);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        result.seconds_at_most += count * seconds[i];
        result.seconds += count * shares[i] * seconds[i] / result.threads;
    }
    return result;
}

std::vector<double> rung_shares(const search::StudyPlan& plan)
{
    const auto trials = std::min(plan.trials, looked_at);
    std::vector<double> shares(plan.rungs.size());
    auto pruner = plan.pruner;  // promotions end with about as many a rung as halving at once
    if (pruner.kind == search::PrunerKind::asha) pruner.kind = search::PrunerKind::halving;
    if (pruner.kind == search::PrunerKind::threshold)  // of scores that nobody knows yet
        pruner.kind = search::PrunerKind::none;
    std::map<std::pair<int, std::size_t>, search::Rivals> rivals;
    std::mt19937_64 scores;
    for (std::int64_t trial = 0; trial < trials; ++trial) {
        const auto score = static_cast<double>(scores());
        const int first_cut = search::first_cut_of(pruner, shares.size(), trial);
        std::vector<double> ranks;
        for (std::size_t rung = 0; rung < shares.size(); ++rung) {
            shares[rung] += 1.0 / static_cast<double>(trials);
            ranks.push_back(score);
            auto& others = rivals[{first_cut, rung}];
            const bool may = static_cast<int>(rung) >= first_cut;
            const bool ends =
                may && search::cut(pruner, {plan.rungs[rung], ranks, others, score}).has_value();
            others.insert(score);
            if (ends) break;
        }
    }
    return shares;
}

}  // namespace barsweep::cli
