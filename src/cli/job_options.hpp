#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agents/learner.hpp"
#include "bars/bar_series.hpp"
#include "bars/split.hpp"
#include "cli/job_keys.hpp"
#include "cli/job_texts.hpp"
#include "cluster/coordinator.hpp"
#include "search/study.hpp"
#include "sim/account_options.hpp"
#include "sim/backtest.hpp"

namespace barsweep::cli {

/// A job, checked against the bars it runs on: what is in it can start.
struct Job {
    JobTexts texts;  ///< without a trial's parameters

    AgentKind kind = AgentKind::rule;
    std::string name;
    int slots = 8;
    cluster::Schedule schedule = cluster::Schedule::ordered;
    std::string score;             ///< a metric of sim::BacktestResult
    double timeout = 0;            ///< seconds of wall clock; 0: none
    std::int64_t min_trades = 10;  ///< round trips below which a score is undefined
    std::filesystem::path out;

    bars::SplitOptions split;  ///< purge and warm-up in bars, `auto` resolved
    bars::Split windows;
    double ppy = 0;  ///< bars a year
    search::StudyPlan plan;
};

/// Rows of a store before the first decision of any window (SEMANTICS 3).
inline constexpr std::int64_t store_warmup = 240;

/// The store that the job names. Throws UserError where neither file nor command line does.
std::filesystem::path store_of(const JobTexts& texts);

/// Resolves and checks everything, so that no error is left for the first trial: values and ranges,
/// the space (each end and choice of every parameter), windows, rungs within the training window.
///
/// Warm-up is the store's 240 rows, or as many as the longest slow average of the space needs: all
/// trials share the same windows, and have their averages from the first decision on.
Job resolve_job(JobTexts texts, const bars::BarSeries& series);

/// One configuration of the rule agent.
struct RuleTrial {
    sim::Rule rule;
    sim::ResolvedAccount account;
};

/// The job with `params` laid over its texts. Throws UserError for a combination that can't be
/// (agent.fast not below agent.slow): that trial fails, the study goes on.
RuleTrial resolve_trial(const Job& job, const bars::BarSeries& series, double ppy,
                        const search::Params& params);

/// One configuration of an agent that learns, as its learner takes it. Throws as resolve_trial
/// does.
agents::LearnerPlan resolve_learner(const Job& job, const bars::BarSeries& series,
                                    const search::Trial& trial, int replicate = 0);

/// What makes the study the one it is, as a line for the other ranks.
std::string study_line(const Job& job);

/// Throws UserError naming the first key of which rank 0, whose `study_line` this is, has another
/// value: a stale copy of the bars on one node would put wrong scores into a good study.
void check_same_study(const Job& job, const std::string& rank_0);

/// The job as a file that means the same from anywhere, for the study's folder: every key with a
/// value, by section, paths absolute.
std::string job_file(const JobTexts& texts);

}  // namespace barsweep::cli
