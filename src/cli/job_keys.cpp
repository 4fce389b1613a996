#include "cli/job_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "agents/dqn_config.hpp"
#include "agents/ppo_config.hpp"
#include "search/pruner.hpp"
#include "search/sampler.hpp"
#include "sim/account_options.hpp"
#include "sim/metrics.hpp"

namespace barsweep::cli {
namespace {

const std::vector<JobKey> before_account{
    {"study.name", "", "demo", "name of the study; default: the job file's, without .ini"},
    {"study.seed", "1", "1", "whole number that all random draws follow"},
    {"study.trials", "100", "100", "how many configurations to try, 1 to 10000000"},
    {"study.slots", "8", "8",
     "trials in flight in the whole study, 1 to 65536, whatever the ranks"},
    {"study.direction", "maximize", "maximize", "of the score: maximize or minimize"},
    {"study.score", "sharpe", "sharpe",
     fmt::format("metric that selects: {}", fmt::join(score_names(), ", "))},
    {"study.timeout", "2h", "2h",
     "wall clock after which no more is started: 90s, 15m, 2h, 1d, none"},
    {"study.trial_timeout", "none", "10m",
     "computing time after which a trial fails; none: no limit"},
    {"study.min_trades", "10", "10", "round trips below which a run has no score, 0 or more"},
    {"study.schedule", "ordered", "ordered",
     "ordered: the same results on any number of ranks; eager: reports are taken as they come, so "
     "results depend on timing"},
    {"study.replicates", "1", "3",
     "dqn: seeds that each trial runs with, 1 to 100, each in a slot of its own: study.slots / "
     "study.replicates trials are in flight"},
    {"study.replicate_score", "mean", "mean_less_se",
     "of the seeds' scores: mean, or mean_less_se: that less its standard error"},
    {"data.store", "", "bars.h5", "bar store, made by `barsweep ingest`"},
    {"data.symbol", "", "EURUSD", "which market of the store; default: its only one"},
    {"data.train", "0.6", "0.6", "training window: share of the rows, or 2015-01-01..2015-06-30"},
    {"data.validation", "0.2", "0.2", "validation window, likewise"},
    {"data.test", "0.2", "0.2", "locked test window, likewise; opened once, for the winner"},
    {"data.purge", "auto", "auto", "bars whose training decisions are dropped; auto: longest hold"},
    {"data.embargo", "0", "0", "bars left out between training and validation"},
    {"data.ppy", "auto", "525600", "bars a year, for yearly figures; auto: measured"},
};

const std::vector<JobKey> reward_keys{
    {"reward.kind", "return", "return", "return: (E'-E)/E of a bar; log: its logarithm"},
    {"reward.barrier_weight", "0", "0.01", "added, times the barrier label, for +1 and -1"},
    {"reward.drawdown_weight", "0", "0.5", "taken, times the increase of drawdown"},
    {"reward.normalise", "false", "false",
     "true: divided by its own running standard deviation, clipped at 10"},
    {"reward.reward_scale", "auto", "5000",
     "factor on what the learner sees; auto: 1 / standard deviation of the training window's "
     "one-bar log returns, or 1 where reward.normalise = true"},
};

const std::vector<JobKey> rule_keys{
    {"agent.fast", "20", "20", "rule: bars of the fast average, 1 to 1000000, below agent.slow"},
    {"agent.slow", "50", "50", "rule: bars of the slow average, 2 to 1000000"},
    {"agent.long_flat", "false", "false", "rule: true: flat where it would be short"},
};

const std::vector<JobKey> after_agent{
    {"rungs.bars", "30720 102400 307200", "1000 4000 10000",
     "where trials are scored, increasing. dqn, ppo: environment steps over all lanes, scored on "
     "validation; rule: training decisions, the last rung on validation"},
    {"search.sampler", "random", "tpe",
     fmt::format("how configurations are chosen: {}", fmt::join(search::sampler_names(), ", "))},
    {"search.pruner", "none", "asha",
     fmt::format("what ends trials early: {}; patient, or patient:NAME with another's name: only "
                 "those that get no better. asha pauses trials and promotes them later",
                 fmt::join(search::pruner_names(), ", "))},
    {"search.eta", "3", "3", "halving, hyperband, asha: the best 1/eta of a rung go on, 2 to 100"},
    {"search.startup", "5", "5",
     "median, percentile: rivals with a score before the first cut, 1 or more"},
    {"search.percentile", "25", "25", "percentile: percent of the rivals that go on, 0 to 100"},
    {"search.lower", "none", "-0.5", "threshold: a score below it ends the trial; none: no such"},
    {"search.upper", "none", "10", "threshold: a score above it ends the trial; none: no such"},
    {"search.patience", "1", "1",
     "patient: rungs in a row that a trial may get no better, 0 or more"},
    {"search.min_delta", "0", "0.05", "patient: what counts as better, at least, in the score"},
    {"search.enqueue", "", "points.json",
     "file of points to try first: a JSON list of objects, or CSV with the parameters' names as "
     "header; what a point lacks is drawn at random"},
    {"search.warmup", "0", "0", "bars (as in rungs) before which nothing is cut, 0 or more"},
    {"output.dir", "", "results/demo", "folder of the study; default: results/NAME"},
};

/// Of both kinds that learn: what they share is one key.
std::vector<JobKey> learning_keys()
{
    std::vector<JobKey> keys;
    for (const auto& key : agents::dqn_keys())
        keys.push_back({std::string{"agent."} + key.name, key.fallback, key.fallback, key.help});
    const auto of_both = keys.size();
    for (const auto& key : agents::ppo_keys()) {
        const auto name = std::string{"agent."} + key.name;
        const auto shared = std::ranges::find(keys, name, &JobKey::name);
        if (shared == keys.end()) {
            keys.push_back({name, key.fallback, key.fallback, std::string{"ppo: "} + key.help});
            continue;
        }
        shared->meaning = shared->meaning == key.help
                              ? "dqn, ppo: " + shared->meaning
                              : "dqn: " + shared->meaning + "; ppo: " + key.help;
        if (shared->fallback != key.fallback) shared->ppo_fallback = key.fallback;
    }
    for (std::size_t i = 0; i < of_both; ++i)
        if (!keys[i].meaning.starts_with("dqn")) keys[i].meaning = "dqn: " + keys[i].meaning;
    return keys;
}

std::vector<JobKey> all_keys()
{
    auto keys = before_account;
    for (const auto& key : sim::account_keys())
        keys.push_back(
            {std::string{"account."} + key.name, key.fallback, key.example, key.meaning});
    const auto add = [&](const std::vector<JobKey>& more) {
        keys.insert(keys.end(), more.begin(), more.end());
    };
    add(reward_keys);
    keys.push_back({"agent.kind", "rule", "rule",
                    "rule: moving averages of closes; dqn: deep Q-learning; ppo: proximal policy "
                    "optimisation"});
    add(rule_keys);
    add(learning_keys());
    add(after_agent);
    return keys;
}

std::vector<std::string> trial_keys()
{
    std::vector<std::string> names;
    for (const auto& key : job_keys())
        if (key.name != "agent.kind" &&
            (key.name.starts_with("agent.") || key.name.starts_with("account.")))
            names.push_back(key.name);
    return names;
}

}  // namespace

const std::vector<std::string>& score_names()
{
    static const auto names = sim::metric_names();
    return names;
}

const std::vector<JobKey>& job_keys()
{
    static const auto keys = all_keys();
    return keys;
}

const std::vector<std::string>& agent_kinds()
{
    static const std::vector<std::string> names{"rule", "dqn", "ppo"};
    return names;
}

bool belongs(const std::string& key, AgentKind kind)
{
    const auto holds = [&](const auto& keys) {
        return std::ranges::any_of(
            keys, [&](const auto& known) { return key == std::string{"agent."} + known.name; });
    };
    if (key.starts_with("reward.")) return kind != AgentKind::rule;
    if (key == "agent.kind" || !key.starts_with("agent.")) return true;
    if (kind == AgentKind::dqn) return holds(agents::dqn_keys());
    if (kind == AgentKind::ppo) return holds(agents::ppo_keys());
    return std::ranges::find(rule_keys, key, &JobKey::name) != rule_keys.end();
}

const std::string& fallback_of(const JobKey& key, AgentKind kind)
{
    return kind == AgentKind::ppo && !key.ppo_fallback.empty() ? key.ppo_fallback : key.fallback;
}

bool incidental(const std::string& key)
{
    return key == "output.dir" || key == "data.store" || key == "study.timeout" ||
           key == "search.enqueue";  // what the file says counts: search.enqueue_sha256
}

const JobKey* find_key(std::string_view name)
{
    for (const auto& key : job_keys())
        if (key.name == name) return &key;
    return nullptr;
}

const std::vector<std::string>& searchable_keys()
{
    static const auto names = trial_keys();
    return names;
}

}  // namespace barsweep::cli
