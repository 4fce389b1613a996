#include "cli/job_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "agents/sealed.hpp"
#include "base/error.hpp"
#include "cli/job_keys.hpp"
#include "cli/job_space.hpp"
#include "cli/job_trial.hpp"
#include "cli/job_values.hpp"
#include "search/enqueue.hpp"

namespace barsweep::cli {
namespace {

constexpr std::int64_t most_trials = 10'000'000;
constexpr std::int64_t most_bars = 1'000'000'000;

void take_study(Job& job)
{
    const auto& texts = job.texts;
    job.name = texts["study.name"];
    if (job.name.empty() || job.name.find_first_of("/\n\r\t\"\\") != std::string::npos)
        refuse(texts, "study.name", "as a word without slashes, quotes or tabs");
    job.slots = static_cast<int>(whole(texts, "study.slots", 1, 65536));
    job.score = score_names()[one_of(texts, "study.score", score_names())];
    job.timeout = seconds_value(texts, "study.timeout");
    job.min_trades = whole(texts, "study.min_trades", 0, most_bars);
    job.out = texts["output.dir"];
    job.schedule =
        static_cast<cluster::Schedule>(one_of(texts, "study.schedule", {"ordered", "eager"}));

    const bool least_is_best = job.score == "max_drawdown" || job.score == "volatility";
    if (least_is_best && texts.values.at("study.direction").source == Source::fallback)
        throw UserError({texts.where("study.score"),
                         "study.direction beside study.score = " + job.score,
                         "none, which means maximize", "write study.direction = minimize"});

    auto& plan = job.plan;
    plan.name = job.name;
    plan.seed = seed_value(texts, "study.seed");
    plan.trials = whole(texts, "study.trials", 1, most_trials);
    plan.trial_timeout = seconds_value(texts, "study.trial_timeout");
    plan.direction = one_of(texts, "study.direction", {"maximize", "minimize"}) == 0
                         ? search::Direction::maximize
                         : search::Direction::minimize;
}

/// Seeds matter to what learns: a rule's replicates would all be the same.
void take_replicates(Job& job)
{
    const auto& texts = job.texts;
    auto& plan = job.plan;
    plan.replicates = static_cast<int>(whole(texts, "study.replicates", 1, 100));
    plan.replicate_score = static_cast<search::ReplicateScore>(
        one_of(texts, "study.replicate_score", {"mean", "mean_less_se"}));
    if (plan.replicates > 1 && job.kind == AgentKind::rule)
        refuse(texts, "study.replicates", "as 1, since agent.kind = rule has no seed");
    if (plan.replicates > job.slots)
        refuse(texts, "study.replicates",
               fmt::format("up to study.slots = {}, since each takes a slot", job.slots));
}

double bound(const JobTexts& texts, const std::string& key, double none)
{
    constexpr double most = std::numeric_limits<double>::max();
    return texts[key] == "none" ? none : number_value(texts, key, -most, most);
}

/// NAME, patient or patient:NAME.
void take_pruner(const JobTexts& texts, search::PrunerOptions& pruner)
{
    auto named = texts;
    auto& name = named.values.at("search.pruner").text;
    const bool patient = name == "patient" || name.starts_with("patient:");
    if (patient) name = name == "patient" ? "none" : name.substr(name.find(':') + 1);
    pruner.kind =
        static_cast<search::PrunerKind>(one_of(named, "search.pruner", search::pruner_names()));
    if (patient && pruner.kind == search::PrunerKind::asha)
        refuse(texts, "search.pruner",
               "as patient with a pruner that cuts (asha pauses, and promotes later)");
    pruner.eta = static_cast<int>(whole(texts, "search.eta", 2, 100));
    pruner.startup = static_cast<int>(whole(texts, "search.startup", 1, most_trials));
    pruner.warmup = whole(texts, "search.warmup", 0, most_bars);
    pruner.percentile = number_value(texts, "search.percentile", 0, 100);
    pruner.lower = bound(texts, "search.lower", pruner.lower);
    pruner.upper = bound(texts, "search.upper", pruner.upper);
    if (pruner.lower > pruner.upper)
        refuse(texts, "search.lower", "up to search.upper = " + texts["search.upper"]);
    const auto patience = static_cast<int>(whole(texts, "search.patience", 0, most_trials));
    if (patient) pruner.patience = patience;
    pruner.min_delta = number_value(texts, "search.min_delta", 0, 1e300);
}

void take_search(Job& job)
{
    const auto& texts = job.texts;
    auto& plan = job.plan;
    plan.rungs = increasing(texts, "rungs.bars");

    plan.sampler = {
        static_cast<search::SamplerKind>(one_of(texts, "search.sampler", search::sampler_names())),
        plan.seed};

    take_pruner(texts, plan.pruner);

    std::vector<std::pair<std::string, std::string>> lines;
    for (const auto& [key, value] : texts.values)
        if (key.starts_with("space.")) lines.emplace_back(key.substr(6), value.text);
    std::map<std::string, std::string> fixed;
    for (const auto& key : job_keys()) fixed[key.name] = texts[key.name];
    plan.space = search::parse_space(lines, texts.file, fixed);
    if (!texts["search.enqueue"].empty())
        plan.enqueued = search::read_enqueued(texts["search.enqueue"], plan.space);
}

void place_windows(Job& job, const bars::BarSeries& series)
{
    const auto& texts = job.texts;
    const auto hold = span_of(texts, job.plan.space, "account.hold").high;
    const auto slow = job.kind == AgentKind::rule
                          ? span_of(texts, job.plan.space, "agent.slow").high
                          : std::int64_t{1};
    job.split.train = texts["data.train"];
    job.split.validation = texts["data.validation"];
    job.split.test = texts["data.test"];
    job.split.purge =
        texts["data.purge"] == "auto" ? hold : whole(texts, "data.purge", 0, most_bars);
    job.split.embargo = whole(texts, "data.embargo", 0, most_bars);
    job.split.warmup = std::max(store_warmup, slow - 1);
    job.windows = bars::split_windows(series, job.split);
}

/// Every rung but the last is scored on its first bars of the training window.
void check_rungs(const Job& job)
{
    const auto& rungs = job.plan.rungs;
    const auto decisions = job.windows.train.decisions();
    for (std::size_t i = 0; i + 1 < rungs.size(); ++i)
        if (rungs[i] > decisions)
            throw UserError({job.texts.where("rungs.bars"),
                             fmt::format("rungs.bars before the last up to the {} decisions of the "
                                         "training window",
                                         decisions),
                             std::to_string(rungs[i]),
                             fmt::format("write for example rungs.bars = {} {} {}", decisions / 9,
                                         decisions / 3, decisions)});
}

/// What makes the study the one it is.
nlohmann::ordered_json identity_of(const Job& job, const bars::BarSeries& series)
{
    nlohmann::ordered_json identity;
    for (const auto& [key, value] : job.texts.values)
        if (!incidental(key) && belongs(key, job.kind)) identity[key] = value.text;
    if (!job.texts["search.enqueue"].empty())
        identity["search.enqueue_sha256"] =
            agents::digest(agents::read_whole(job.texts["search.enqueue"]));
    identity["data.symbol"] = series.symbol;
    identity["data.bars"] = series.size();
    identity["data.canonical_sha256"] = bars::canonical_sha256(series);
    return identity;
}

/// The symbol of another program's store may be any bytes.
std::string line_of(const nlohmann::ordered_json& value)
{
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

std::filesystem::path store_of(const JobTexts& texts)
{
    if (texts["data.store"].empty())
        throw UserError({texts.file, "data.store or --data to name a bar store", "neither",
                         "give --data STORE.h5, made by `barsweep ingest`"});
    return texts["data.store"];
}

Job resolve_job(JobTexts texts, const bars::BarSeries& series)
{
    Job job;
    job.texts = std::move(texts);
    job.kind = kind_of(job.texts);
    take_study(job);
    take_replicates(job);
    take_search(job);
    job.ppy = positive_or_auto(job.texts, "data.ppy", bars::measured_ppy(series));
    check_trials(job.texts, job.plan.space, series, job.ppy);
    place_windows(job, series);
    if (job.kind == AgentKind::rule) check_rungs(job);
    search::Sampler{job.plan.sampler, job.plan.space};  // a grid without end is refused here
    job.plan.identity = identity_of(job, series);
    return job;
}

RuleTrial resolve_trial(const Job& job, const bars::BarSeries& series, double ppy,
                        const search::Params& params)
{
    const auto texts = overlay(job.texts, params);
    return {rule_of(texts), account_of(texts, series, ppy)};
}

agents::LearnerPlan resolve_learner(const Job& job, const bars::BarSeries& series,
                                    const search::Trial& trial, int replicate)
{
    const auto texts = overlay(job.texts, trial.params);
    agents::LearnerPlan plan;
    plan.config = agent_of(texts);
    plan.rules = account_of(texts, series, job.ppy).rules;
    plan.reward = reward_of(texts);
    plan.key = {job.plan.seed, trial.number, replicate};
    plan.last_rung = job.plan.rungs.back();
    return plan;
}

std::string study_line(const Job& job)
{
    return line_of(job.plan.identity);
}

void check_same_study(const Job& job, const std::string& rank_0)
{
    const auto theirs = nlohmann::ordered_json::parse(rank_0);
    for (const auto& [key, value] : theirs.items()) {
        const auto own = job.plan.identity.value(key, nlohmann::ordered_json{});
        if (line_of(own) != line_of(value))
            throw UserError({key, line_of(value) + ", as rank 0 has it",
                             line_of(own) + " on this rank",
                             "give all ranks the same job and the same bars"});
    }
}

std::string job_file(const JobTexts& texts)
{
    std::string text, section;
    const auto add = [&](const std::string& key) {
        const auto& value = texts[key];
        if (value.empty()) return;
        const auto point = key.find('.');
        if (key.substr(0, point) != section) {
            section = key.substr(0, point);
            text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
        }
        const bool path = key == "data.store" || key == "output.dir" || key == "search.enqueue";
        text += fmt::format("{} = {}\n", key.substr(point + 1),
                            path ? std::filesystem::absolute(value).string() : value);
    };
    const auto kind = kind_of(texts);
    for (const auto& key : job_keys())
        if (belongs(key.name, kind)) add(key.name);
    for (const auto& [key, value] : texts.values)
        if (key.starts_with("space.")) add(key);
    return text;
}

}  // namespace barsweep::cli
