#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "agents/training_set.hpp"
#include "bars/bar_series.hpp"
#include "cli/job_options.hpp"
#include "cli/job_texts.hpp"
#include "report/summary.hpp"
#include "sim/market.hpp"

namespace barsweep::cli {

/// What every rank of a sweep holds, loaded once: the job and the bars, for learning agents with
/// their features.
struct StudyData {
    Job job;
    bars::BarSeries series;
    std::variant<sim::Market, agents::TrainingSet> bars;
    std::vector<std::string> feature_names;  ///< of a training set

    const sim::Market& market() const;
    const agents::TrainingSet& training_set() const { return std::get<agents::TrainingSet>(bars); }
};

/// A store's features straight into the memory they are used in. `values`: rows * features.
device::Buffer<float> load_features(const std::filesystem::path& store, const std::string& symbol,
                                    std::size_t values);

/// Reads the store and resolves the job against it. Throws UserError for all that is wrong with
/// either.
StudyData load_study(JobTexts texts);

/// A run's score where it is defined; else NaN and why.
struct Score {
    double value;
    std::string reason;
};
Score score_of(const Job& job, const sim::BacktestResult& result);

report::Metrics metrics_of(const sim::BacktestResult& result);

/// The metrics of a run over any window; of an account that leaves int64 there, only why, as the
/// reason of total_return: a fact of the window like any other.
report::Metrics metrics_or_reason(const std::function<sim::BacktestResult()>& run);

/// What costs no thought over a window with the job's account: always long (no barriers), and no
/// trade.
report::Metrics run_buy_and_hold(const StudyData& data, bars::Window window);
report::Metrics run_flat(const StudyData& data, bars::Window window);

}  // namespace barsweep::cli
