#pragma once
#include <filesystem>
#include <functional>
#include <stop_token>

#include "cli/progress.hpp"
#include "cli/study_data.hpp"
#include "cluster/serve.hpp"
#include "search/study.hpp"

namespace barsweep::cli {

/// What one kind of agent gives a sweep; the only place where `cluster` and the agents meet. Refers
/// to the StudyData it was made from. `run` may be called from several threads at once, the others
/// by one.
struct Agent {
    cluster::RunTask run;    ///< one rung of a trial: score, metrics, computing time
    cluster::RungCost cost;  ///< of a rung, a pure function of the configuration
    RungBars bars;

    /// Brings a complete trial, as its last rung left it, to hand for the two below. May take long
    /// where no checkpoint has it: throws cluster::Interrupted once `stop` asks. Empty: it is.
    std::function<void(const search::Trial&, const std::function<bool()>& stop)> recall;

    /// A complete trial, as its last rung left it, over any window.
    std::function<report::Metrics(const search::Trial&, bars::Window)> evaluate;

    /// Keeps what others need to run the winner; empty: its parameters say it all.
    std::function<void(const search::TrialRecord&, const report::Metrics& test)> keep_winner;

    /// Drops what finished trials left in the study's folder, but for the best's; empty: nothing
    /// is.
    std::function<void(const search::Study&)> tidy;
};

Agent make_rule_agent(const StudyData& data);

/// Of DQN and PPO. `folder`: the study's, for checkpoints; empty: none are kept, none are used.
/// `stop`: a long rung ends early with a checkpoint kept.
Agent make_learning_agent(const StudyData& data, const std::filesystem::path& folder,
                          std::stop_token stop);

Agent make_agent(const StudyData& data, const std::filesystem::path& folder, std::stop_token stop);

}  // namespace barsweep::cli
