#include "cli/job_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "cli/job_values.hpp"

namespace barsweep::cli {
namespace {

using search::Choice;
using search::FloatRange;
using search::IntRange;
using search::Value;

constexpr std::int64_t longest_average = 1'000'000;
constexpr std::string_view account_prefix = "account.";

void check_agent_key(const JobTexts& texts, const std::string& key)
{
    if (key == "agent.fast") whole(texts, key, 1, longest_average);
    if (key == "agent.slow") whole(texts, key, 2, longest_average);
    if (key == "agent.long_flat") one_of(texts, key, {"false", "true"});
    if (key == "agent.kind") one_of(texts, key, {"rule"});
}

/// The ends of a range and, of a float range, a value between, of as many digits as a draw has.
std::vector<Value> probes(const search::Distribution& distribution)
{
    if (const auto* range = std::get_if<IntRange>(&distribution)) return {range->low, range->high};
    if (const auto* range = std::get_if<FloatRange>(&distribution)) {
        if (range->step > 0) return {range->low, std::min(range->low + range->step, range->high)};
        return {range->low, range->low + 0.3819660112501051 * (range->high - range->low),
                range->high};
    }
    const auto& values = std::get<Choice>(distribution).values;
    return {values.begin(), values.end()};
}

/// The parameter's value as if the [space] line itself had said it, so that sentences name that
/// line.
JobTexts at_space_line(JobTexts texts, const std::string& key, const Value& value)
{
    auto text = texts.values.at("space." + key);
    text.text = search::to_text(value);
    texts.values[key] = std::move(text);
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

/// The most telling place for a fault of the account as a whole.
std::string account_place(const JobTexts& texts)
{
    for (const auto& [key, value] : texts.values)
        if (key.starts_with(account_prefix) && value.source == Source::trial) return "trial";
    return texts.file;
}

void check_own_keys(const JobTexts& texts)
{
    for (const auto& [key, value] : texts.values) {
        check_agent_key(texts, key);
        if (key.starts_with(account_prefix) && value.source != Source::fallback)
            parse_account_of(texts, key, texts.where(key));
    }
}

}  // namespace

sim::Rule rule_of(const JobTexts& texts)
{
    for (const auto* key : {"agent.kind", "agent.fast", "agent.slow", "agent.long_flat"})
        check_agent_key(texts, key);
    const sim::Rule rule{whole(texts, "agent.fast", 1, longest_average),
                         whole(texts, "agent.slow", 2, longest_average),
                         texts["agent.long_flat"] == "true"};
    if (rule.fast >= rule.slow)
        throw UserError({texts.where("agent.fast"), "agent.fast below agent.slow",
                         fmt::format("{} and {}", rule.fast, rule.slow),
                         "make the slow average the longer one"});
    return rule;
}

sim::ResolvedAccount account_of(const JobTexts& texts, const bars::BarSeries& series, double ppy)
{
    const auto where = account_place(texts);
    return sim::resolve_account(parse_account_of(texts, {}, where), series, ppy, where);
}

void check_trials(const JobTexts& texts, const search::Space& space, const bars::BarSeries& series,
                  double ppy)
{
    check_own_keys(texts);
    account_of(texts, series, ppy);
    for (const auto& [key, distribution] : space.parameters)
        for (const auto& value : probes(distribution)) {
            const auto probe = at_space_line(texts, key, value);
            check_agent_key(probe, key);
            if (!key.starts_with(account_prefix)) continue;
            parse_account_of(probe, key, probe.where(key));
            sim::resolve_account(parse_account_of(probe, {}, probe.where(key)), series, ppy,
                                 probe.where(key));
        }

    const auto fast = span_of(texts, space, "agent.fast").low;
    const auto slow = span_of(texts, space, "agent.slow").high;
    if (fast >= slow)
        throw UserError({texts.where("agent.fast"), "an agent.fast that can be below agent.slow",
                         fmt::format("{} and {} at best", fast, slow),
                         "make the slow average the longer one"});
}

Span span_of(const JobTexts& texts, const search::Space& space, const std::string& key)
{
    const auto highest = std::numeric_limits<std::int64_t>::max();
    for (const auto& [name, distribution] : space.parameters) {
        if (name != key) continue;
        Span span{highest, 0};
        for (const auto& value : probes(distribution)) {
            const auto number = whole(at_space_line(texts, key, value), key, 0, highest);
            span = {std::min(span.low, number), std::max(span.high, number)};
        }
        return span;
    }
    const auto fixed = whole(texts, key, 0, highest);
    return {fixed, fixed};
}

}  // namespace barsweep::cli
