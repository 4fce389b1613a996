#include "cli/study_data.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>
#include <utility>

#include "agents/sealed.hpp"
#include "bars/bar_store.hpp"
#include "cli/job_trial.hpp"
#include "cli/job_values.hpp"

namespace barsweep::cli {
namespace {

constexpr kernels::i64 fully_long = 1'000'000;  // ppm

/// A store may bring features of its own, which the bars' sum doesn't tell of.
std::string sum_of(const device::Buffer<float>& features)
{
    return agents::digest(
        {reinterpret_cast<const char*>(features.read().data), features.size() * sizeof(float)});
}

/// Every decision asks for the same exposure; barriers off, so that it is held throughout.
report::Metrics run_constant(const StudyData& data, bars::Window window, kernels::i64 exposure_ppm)
{
    auto account = account_of(data.job.texts, data.series, data.job.ppy);
    account.rules.barrier = kernels::Barrier::off;
    const sim::Wanted wanted(static_cast<std::size_t>(window.decisions()), exposure_ppm);
    return metrics_or_reason([&] {
        return sim::run_backtest(data.market(), account.rules, window, wanted, data.job.ppy);
    });
}

/// 1 where rewards come with a deviation of 1 already.
double automatic_scale(const Job& job, const bars::BarSeries& series, bars::Window window)
{
    return reward_of(job.texts).normalise ? 1 : agents::automatic_reward_scale(series, window);
}

agents::TrainingSet load_training_set(const Job& job, const bars::BarSeries& series,
                                      device::Buffer<float> features, int feature_count)
{
    auto unpurged = job.split;
    unpurged.purge = 0;
    const auto fitted_on = bars::split_windows(series, unpurged).train;
    return agents::make_training_set(sim::load_market(device::Backend::cpu, series),
                                     std::move(features), feature_count, fitted_on,
                                     job.windows.train,
                                     positive_or_auto(job.texts, "reward.reward_scale",
                                                      automatic_scale(job, series, fitted_on)));
}

}  // namespace

const sim::Market& StudyData::market() const
{
    if (const auto* set = std::get_if<agents::TrainingSet>(&bars)) return set->market;
    return std::get<sim::Market>(bars);
}

device::Buffer<float> load_features(const std::filesystem::path& store, const std::string& symbol,
                                    std::size_t values)
{
    device::Buffer<float> features{device::Backend::cpu, values};
    bars::read_features_into(store, symbol, features.write().data, features.size());
    return features;
}

StudyData load_study(JobTexts texts)
{
    const auto store = store_of(texts);
    const auto symbol = texts["data.symbol"];
    auto series = bars::read_store(store, symbol);
    auto job = resolve_job(std::move(texts), series);
    if (job.kind == AgentKind::rule) {
        auto market = sim::load_market(device::Backend::cpu, series);
        return {std::move(job), std::move(series), std::move(market), {}};
    }
    auto names = bars::describe_features(store, symbol).names;
    auto features = load_features(store, symbol, series.size() * names.size());
    job.plan.identity["data.features_sha256"] = sum_of(features);
    auto set = load_training_set(job, series, std::move(features), static_cast<int>(names.size()));
    return {std::move(job), std::move(series), std::move(set), std::move(names)};
}

Score score_of(const Job& job, const sim::BacktestResult& result)
{
    constexpr auto undefined = std::numeric_limits<double>::quiet_NaN();
    if (result.totals.trades < job.min_trades)
        return {undefined, fmt::format("{} round trips, fewer than study.min_trades = {}",
                                       result.totals.trades, job.min_trades)};
    if (const auto metric = result.metrics.find(job.score); metric != result.metrics.end())
        return {metric->second, {}};
    const auto reason = result.reasons.find(job.score);
    return {undefined,
            job.score + ": " + (reason == result.reasons.end() ? "undefined" : reason->second)};
}

report::Metrics metrics_of(const sim::BacktestResult& result)
{
    return {result.metrics, result.reasons};
}

report::Metrics metrics_or_reason(const std::function<sim::BacktestResult()>& run)
{
    try {
        return metrics_of(run());
    } catch (const std::overflow_error& error) {
        return {{}, {{"total_return", error.what()}}};
    }
}

report::Metrics run_buy_and_hold(const StudyData& data, bars::Window window)
{
    return run_constant(data, window, fully_long);
}

report::Metrics run_flat(const StudyData& data, bars::Window window)
{
    return run_constant(data, window, 0);
}

}  // namespace barsweep::cli
