#pragma once
#include "agents/learner.hpp"
#include "bars/bar_series.hpp"
#include "cli/job_keys.hpp"
#include "cli/job_texts.hpp"
#include "kernels/reward.hpp"
#include "search/space.hpp"
#include "sim/account_options.hpp"
#include "sim/backtest.hpp"

namespace barsweep::cli {

/// [agent], [reward] and [account] of a job, or of one trial's overlay.
AgentKind kind_of(const JobTexts& texts);
sim::Rule rule_of(const JobTexts& texts);
/// Of a kind that learns. Throws UserError also where a rung is no multiple of the lanes
/// (SEMANTICS 8, Steps), and where [reward] asks for what the agent can't learn from.
agents::AgentConfig agent_of(const JobTexts& texts);
kernels::RewardRules reward_of(const JobTexts& texts);
sim::ResolvedAccount account_of(const JobTexts& texts, const bars::BarSeries& series, double ppy);

/// Checks the job's own [agent] and [account], and each end and each choice of every parameter:
/// what fails here would fail in every trial that drew it, whatever else it drew. Combinations stay
/// the trial's own matter, but for averages of which no pair can be right.
void check_trials(const JobTexts& texts, const search::Space& space, const bars::BarSeries& series,
                  double ppy);

}  // namespace barsweep::cli
