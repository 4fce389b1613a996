#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "agents/bundle.hpp"
#include "agents/cohort.hpp"
#include "agents/learner_work.hpp"
#include "base/error.hpp"
#include "cli/agent.hpp"
#include "cli/checkpoints.hpp"
#include "cli/job_trial.hpp"
#include "sim/policy_run.hpp"

namespace barsweep::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// The slots of this rank, where their checkpoints lie, and the winner once it is asked for.
struct LearningStudy {
    const StudyData& data;
    std::filesystem::path folder;  ///< the study's; empty: none
    Checkpoints checkpoints;
    std::stop_token stop;
    agents::Cohort cohort;
    std::int64_t finalist = -1;  ///< the trial whose policy the next one is; -1: none yet
    sim::Policy final_policy;

    LearningStudy(const StudyData& loaded, std::filesystem::path study_folder,
                  std::stop_token stopped)
        : data{loaded},
          folder{std::move(study_folder)},
          checkpoints{folder.empty() ? folder : folder / "checkpoints"},
          stop{std::move(stopped)},
          cohort{loaded.training_set(), static_cast<std::size_t>(loaded.job.slots),
                 agents::Cohort::Seconds{checkpoint_seconds()}}
    {
        std::error_code failed;  // a checkpoint that can't be written says why
        if (!folder.empty()) std::filesystem::create_directories(checkpoints.folder, failed);
    }
};

double seconds_since(Clock::time_point begun)
{
    return std::chrono::duration<double>(Clock::now() - begun).count();
}

sim::BacktestResult run_greedy(const StudyData& data, const agents::LearnerPlan& plan,
                               const sim::Policy& policy, bars::Window window)
{
    const auto& set = data.training_set();
    return sim::run_policy(set.market, set.features, policy, plan.rules, window, data.job.ppy);
}

/// The trial's learner at the end of the rung. A rung alone that takes longer than a whole trial
/// may ends there.
const agents::Learner& learn(LearningStudy& study, const cluster::Task& task,
                             const agents::LearnerPlan& plan, Clock::time_point begun)
{
    const auto limit = study.data.job.plan.trial_timeout;
    const auto steps = study.data.job.plan.rungs.at(static_cast<std::size_t>(task.rung));
    const auto late = [&] { return limit > 0 && seconds_since(begun) > limit; };
    const auto& learner =
        study.cohort.advance({static_cast<std::size_t>(task.slot), plan, steps,
                              study.checkpoints.of(task.trial.number, task.replicate)},
                             [&] { return study.stop.stop_requested() || late(); });
    if (learner.steps() == steps) return learner;
    if (study.stop.stop_requested()) throw cluster::Interrupted{};
    throw std::runtime_error("the rung alone took longer than study.trial_timeout = " +
                             study.data.job.texts["study.trial_timeout"]);
}

search::Report run_rung(LearningStudy& study, const cluster::Task& task)
{
    const auto begun = Clock::now();
    const auto& job = study.data.job;
    const auto plan = resolve_learner(job, study.data.series, task.trial, task.replicate);
    const auto& learner = learn(study, task, plan, begun);
    const auto result = run_greedy(study.data, plan, learner.policy(), job.windows.validation);
    search::Report report;
    report.metrics = result.metrics;
    report.device = "cpu";
    auto [score, reason] = score_of(job, result);
    report.score = score;
    report.reason = std::move(reason);
    report.seconds = seconds_since(begun);
    return report;
}

/// The policy after the last rung: from its checkpoint, or learned again to the same bits. It is
/// kept, since a winner is asked for three times.
const sim::Policy& final_policy(LearningStudy& study, const search::Trial& trial,
                                const std::function<bool()>& stop = {})
{
    if (study.finalist == trial.number) return study.final_policy;
    const auto plan = resolve_learner(study.data.job, study.data.series, trial);
    agents::Cohort alone{study.data.training_set(), 1,
                         agents::Cohort::Seconds{checkpoint_seconds()}};
    const auto& learner =
        alone.advance({0, plan, plan.last_rung, study.checkpoints.of(trial.number)}, stop);
    if (learner.steps() < plan.last_rung) throw cluster::Interrupted{};
    study.final_policy = learner.policy();
    study.finalist = trial.number;
    return study.final_policy;
}

/// Environment steps from the rung before.
std::int64_t rung_steps(const Job& job, int rung)
{
    const auto& rungs = job.plan.rungs;
    const auto index = static_cast<std::size_t>(rung);
    return rungs[index] - (rung > 0 ? rungs[index - 1] : 0);
}

/// Multiply-adds of a rung: acting, learning, evaluation. None for a configuration that can't be:
/// its trial fails at once, and says why.
double rung_cost(const StudyData& data, const search::Trial& trial, int rung)
try {
    const auto plan = resolve_learner(data.job, data.series, trial);
    const auto work = agents::work_of(data.training_set(), plan);
    const auto& rungs = data.job.plan.rungs;
    const auto index = static_cast<std::size_t>(rung);
    const auto before = rung > 0 ? rungs[index - 1] : 0;
    const auto updates =
        agents::updates_by(plan.config, rungs[index]) - agents::updates_by(plan.config, before);
    return work.step * static_cast<double>(rungs[index] - before) +
           work.update * static_cast<double>(updates) +
           work.decision * static_cast<double>(data.job.windows.validation.decisions());
} catch (const UserError&) {
    return 0;
}

void write_winner(LearningStudy& study, const search::TrialRecord& winner,
                  const report::Metrics& test)
{
    const auto& data = study.data;
    const auto texts = overlay(data.job.texts, winner.trial.params);
    const auto rules = account_of(texts, data.series, data.job.ppy).rules;
    agents::Bundle bundle;
    bundle.policy = final_policy(study, winner.trial);
    bundle.scaling = data.training_set().scaling;
    bundle.feature_names = data.feature_names;
    bundle.price_decimals = data.series.price_decimals;
    bundle.volume_decimals = data.series.volume_decimals;
    bundle.symbol = data.series.symbol;
    bundle.data_sha256 = bars::canonical_sha256(data.series);
    bundle.levels_ppm.assign(rules.levels_ppm, rules.levels_ppm + rules.level_count);
    for (const auto& [key, value] : texts.values)
        if (!key.starts_with("space.") && !incidental(key) && belongs(key, data.job.kind))
            bundle.job[key] = value.text;
    bundle.job["data.purge"] = std::to_string(data.job.split.purge);  // that of the whole space
    bundle.metrics = test.values;
    bundle.program = "barsweep " BARSWEEP_VERSION;
    agents::write_bundle(study.folder / "best", bundle);
}

}  // namespace

Agent make_learning_agent(const StudyData& data, const std::filesystem::path& folder,
                          std::stop_token stop)
{
    const auto study = std::make_shared<LearningStudy>(data, folder, std::move(stop));
    Agent agent;
    agent.run = [study](const cluster::Task& task) { return run_rung(*study, task); };
    agent.cost = [&data](const search::Trial& trial, int rung) {
        return rung_cost(data, trial, rung);
    };
    agent.bars = [&data](int rung) { return rung_steps(data.job, rung); };
    agent.recall = [study](const search::Trial& trial, const std::function<bool()>& asked) {
        final_policy(*study, trial, asked);
    };
    agent.evaluate = [study](const search::Trial& trial, bars::Window window) {
        const auto plan = resolve_learner(study->data.job, study->data.series, trial);
        const auto& policy = final_policy(*study, trial);
        return metrics_or_reason([&] { return run_greedy(study->data, plan, policy, window); });
    };
    agent.keep_winner = [study](const search::TrialRecord& winner, const report::Metrics& test) {
        write_winner(*study, winner, test);
    };
    agent.tidy = [study](const search::Study& told) { study->checkpoints.drop_finished(told); };
    return agent;
}

}  // namespace barsweep::cli
