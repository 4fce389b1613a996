#include "cli/job_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "agents/torch_script.hpp"
#include "base/error.hpp"
#include "cli/job_space.hpp"
#include "cli/job_values.hpp"

namespace barsweep::cli {
namespace {

constexpr std::int64_t longest_average = 1'000'000;
constexpr std::int64_t most_lanes = 65'536;
constexpr std::string_view agent_prefix = "agent.";
constexpr std::string_view account_prefix = "account.";

/// Of [agent] what `keys` name, or the one of them that is `only`.
template <class Keys>
std::map<std::string, std::string> values_of(const JobTexts& texts, const Keys& keys,
                                             const std::string& only)
{
    std::map<std::string, std::string> values;
    for (const auto& known : keys) {
        const auto key = std::string{agent_prefix} + known.name;
        if (only.empty() || key == only) values[known.name] = texts[key];
    }
    return values;
}

/// Reads the keys, or only one of them; what they ask of each other isn't looked at.
agents::AgentConfig parse_agent(const JobTexts& texts, AgentKind kind, const std::string& only,
                                const std::string& where)
{
    if (kind == AgentKind::dqn)
        return agents::parse_dqn(values_of(texts, agents::dqn_keys(), only), where);
    return agents::parse_ppo(values_of(texts, agents::ppo_keys(), only), where);
}

/// A key of another kind of agent, given on purpose, would do nothing.
void check_belongs(const JobTexts& texts, const std::string& key, AgentKind kind)
{
    if (belongs(key, kind)) return;
    const auto& name = agent_kinds()[static_cast<std::size_t>(kind)];
    throw UserError({texts.where(key), "a key that agent.kind = " + name + " knows", key,
                     "take it out, or set another agent.kind"});
}

void check_agent_key(const JobTexts& texts, const std::string& key, AgentKind kind)
{
    if (texts.values.at(key).source != Source::fallback) check_belongs(texts, key, kind);
    if (!belongs(key, kind)) return;
    if (key == "agent.fast") whole(texts, key, 1, longest_average);
    if (key == "agent.slow") whole(texts, key, 2, longest_average);
    if (key == "agent.long_flat") one_of(texts, key, {"false", "true"});
    if (kind != AgentKind::rule && key.starts_with(agent_prefix))
        parse_agent(texts, kind, key, texts.where(key));
}

/// A rung ends with a step of all lanes (SEMANTICS 8, Steps).
void check_lanes(const JobTexts& texts, std::int64_t lanes, const std::string& where)
{
    for (const auto rung : increasing(texts, "rungs.bars"))
        if (rung % lanes != 0)
            throw UserError({where,
                             fmt::format("rungs.bars in multiples of agent.lanes = {}", lanes),
                             std::to_string(rung),
                             fmt::format("write {} instead", (rung / lanes + 1) * lanes)});
}

void check_engine(agents::Engine engine, const std::string& where)
{
    if (engine == agents::Engine::fused || agents::with_torch()) return;
    throw UserError({where, "agent.engine = fused in a program without LibTorch", "libtorch",
                     "leave agent.engine out, or build with -DBARSWEEP_TORCH=ON"});
}

/// The most telling place for a fault of several keys of a section together.
std::string place_of(const JobTexts& texts, std::string_view prefix)
{
    for (const auto& [key, value] : texts.values)
        if (key.starts_with(prefix) && value.source == Source::trial) return "trial";
    return texts.file;
}

/// Of all trials the one whose [agent] keys ask least of each other: what it can't be, none can be.
/// Lanes ask for room in replay, and of PPO's rollout they are the room.
JobTexts easiest_trial(JobTexts texts, const search::Space& space)
{
    const bool ppo = kind_of(texts) == AgentKind::ppo;
    const std::map<std::string, bool> most{
        {"agent.buffer", true},        {"agent.lanes", ppo},    {"agent.target_every", true},
        {"agent.tau", true},           {"agent.batch", false},  {"agent.rollout", true},
        {"agent.all_actions", false},  {"agent.n_step", false}, {"agent.value_lowest", false},
        {"agent.value_highest", true},
    };
    for (const auto& [key, distribution] : space.parameters)
        if (const auto found = most.find(key); found != most.end())
            texts = at_space_line(std::move(texts), key, extreme(distribution, found->second));
    return texts;
}

sim::AccountOptions parse_account_of(const JobTexts& texts, const std::string& only,
                                     const std::string& where)
{
    std::map<std::string, std::string> account;
    for (const auto& [key, value] : texts.values)
        if (key.starts_with(account_prefix) && !value.text.empty() && (only.empty() || key == only))
            account[key.substr(account_prefix.size())] = value.text;
    return sim::parse_account(account, where);
}

void check_own_keys(const JobTexts& texts)
{
    const auto kind = kind_of(texts);
    for (const auto& [key, value] : texts.values) {
        check_agent_key(texts, key, kind);
        if (key.starts_with(account_prefix) && value.source != Source::fallback)
            parse_account_of(texts, key, texts.where(key));
    }
}

}  // namespace

AgentKind kind_of(const JobTexts& texts)
{
    return static_cast<AgentKind>(one_of(texts, "agent.kind", agent_kinds()));
}

sim::Rule rule_of(const JobTexts& texts)
{
    for (const auto* key : {"agent.fast", "agent.slow", "agent.long_flat"})
        check_agent_key(texts, key, AgentKind::rule);
    const sim::Rule rule{whole(texts, "agent.fast", 1, longest_average),
                         whole(texts, "agent.slow", 2, longest_average),
                         texts["agent.long_flat"] == "true"};
    if (rule.fast >= rule.slow)
        throw UserError({texts.where("agent.fast"), "agent.fast below agent.slow",
                         fmt::format("{} and {}", rule.fast, rule.slow),
                         "make the slow average the longer one"});
    return rule;
}

agents::AgentConfig agent_of(const JobTexts& texts)
{
    const auto where = place_of(texts, agent_prefix);
    auto config = parse_agent(texts, kind_of(texts), {}, where);
    std::visit(
        [&](const auto& agent) {
            check_engine(agent.engine, where);
            check_together(agent, where);
        },
        config);
    check_lanes(texts, agents::lanes_of(config), where);
    const auto* dqn = std::get_if<agents::DqnConfig>(&config);
    if (dqn != nullptr && dqn->all_actions && reward_of(texts).normalise)
        throw UserError(
            {texts.where("reward.normalise"),
             "reward.normalise = false beside agent.all_actions = true", "true",
             "take one of the two out: running statistics know the action taken alone"});
    return config;
}

kernels::RewardRules reward_of(const JobTexts& texts)
{
    kernels::RewardRules rules;
    rules.kind = one_of(texts, "reward.kind", {"return", "log"}) == 0
                     ? kernels::RewardKind::relative
                     : kernels::RewardKind::logarithmic;
    rules.barrier_weight = number_value(texts, "reward.barrier_weight", 0, 1e6);
    rules.drawdown_weight = number_value(texts, "reward.drawdown_weight", 0, 1e6);
    rules.normalise = one_of(texts, "reward.normalise", {"false", "true"}) == 1;
    return rules;
}

sim::ResolvedAccount account_of(const JobTexts& texts, const bars::BarSeries& series, double ppy)
{
    const auto where = place_of(texts, account_prefix);
    return sim::resolve_account(parse_account_of(texts, {}, where), series, ppy, where);
}

void check_trials(const JobTexts& texts, const search::Space& space, const bars::BarSeries& series,
                  double ppy)
{
    check_own_keys(texts);
    account_of(texts, series, ppy);
    const auto kind = kind_of(texts);
    if (kind != AgentKind::rule) {
        reward_of(texts);
        positive_or_auto(texts, "reward.reward_scale", 1);
    }
    for (const auto& [key, distribution] : space.parameters)
        for (const auto& value : probes(distribution)) {
            const auto probe = at_space_line(texts, key, value);
            check_agent_key(probe, key, kind);
            if (key == "agent.lanes" && kind != AgentKind::rule)
                check_lanes(probe, whole(probe, key, 1, most_lanes), probe.where(key));
            if (!key.starts_with(account_prefix)) continue;
            parse_account_of(probe, key, probe.where(key));
            sim::resolve_account(parse_account_of(probe, {}, probe.where(key)), series, ppy,
                                 probe.where(key));
        }

    if (kind != AgentKind::rule) {
        agent_of(easiest_trial(texts, space));
        return;
    }
    const auto fast = span_of(texts, space, "agent.fast").low;
    const auto slow = span_of(texts, space, "agent.slow").high;
    if (fast >= slow)
        throw UserError({texts.where("agent.fast"), "an agent.fast that can be below agent.slow",
                         fmt::format("{} and {} at best", fast, slow),
                         "make the slow average the longer one"});
}

}  // namespace barsweep::cli
