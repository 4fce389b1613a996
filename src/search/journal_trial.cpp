#include "search/journal_trial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace barsweep::search {
namespace {

using nlohmann::json;

constexpr double largest_integer = 9007199254740992;  ///< 2^53, as far as doubles count

/// strict_json has made strings of NaN and the infinities.
double number(const json& value)
{
    if (value.is_number()) return value.get<double>();
    const double infinity = HUGE_VAL;
    if (value == "Infinity" || value == "-Infinity")
        return value == "Infinity" ? infinity : -infinity;
    if (value == "NaN" || value.is_null()) return std::nan("");
    throw std::invalid_argument("no number");
}

std::int64_t integer(const json& value)
{
    const double x = number(value);
    if (x != std::floor(x) || !(std::abs(x) <= largest_integer))
        throw std::invalid_argument("no integer");
    return static_cast<std::int64_t>(x);
}

std::int64_t index(const json& value, std::size_t below)
{
    const auto i = integer(value);
    if (i < 0 || static_cast<std::size_t>(i) >= below) throw std::out_of_range("no such choice");
    return i;
}

/// Optuna's internal value back to what was drawn.
Value drawn(const json& internal, const json& distribution)
{
    const auto& kind = distribution.at("name");
    if (kind == "CategoricalDistribution") {
        const auto& choices = distribution.at("attributes").at("choices");
        const auto& choice = choices.at(static_cast<std::size_t>(index(internal, choices.size())));
        return choice.is_string() ? choice.get<std::string>() : choice.dump();
    }
    if (kind == "IntDistribution") return integer(internal);
    return number(internal);
}

json parsed(const json& distribution)
{
    return json::parse(distribution.get<std::string>());
}

void take_rung(TrialRecord& trial, std::int64_t step, double score)
{
    const auto found = std::ranges::find(trial.rungs, step, &RungScore::step);
    if (found == trial.rungs.end())
        trial.rungs.push_back({step, score});
    else
        found->score = score;
}

void take_state(TrialRecord& trial, const json& state, const json& record)
{
    constexpr int waiting = 4;  // Optuna's; to us as a trial that isn't finished
    const auto number_of = integer(state);
    if (number_of < 0 || number_of > waiting) throw std::out_of_range("no such state");
    trial.state = number_of == waiting ? TrialState::running : static_cast<TrialState>(number_of);
    if (trial.state != TrialState::complete) return;
    const auto values = record.find("values"), value = record.find("value");
    trial.value = std::nan("");
    if (values != record.end() && !values->is_null())
        trial.value = number(values->at(0));
    else if (value != record.end())
        trial.value = number(*value);
    if (std::isfinite(trial.value)) return;
    trial.state = TrialState::fail;
    trial.cause = "complete without a finite value";
}

}  // namespace

void take_creation(TrialRecord& trial, const json& record)
{
    if (const auto params = record.find("params"); params != record.end())
        for (const auto& [name, internal] : params->items())
            trial.trial.params[name] = drawn(internal, parsed(record.at("distributions").at(name)));
    if (const auto rungs = record.find("intermediate_values"); rungs != record.end())
        for (const auto& [step, score] : rungs->items())
            take_rung(trial, integer(json::parse(step)), number(score));
    if (const auto state = record.find("state"); state != record.end())
        take_state(trial, *state, record);
}

void take_record(TrialRecord& trial, journal::Op op, const json& record)
{
    if (trial.state != TrialState::running) return;
    if (op == journal::Op::parameter)
        trial.trial.params[record.at("param_name").get<std::string>()] =
            drawn(record.at("param_value_internal"), parsed(record.at("distribution")));
    else if (op == journal::Op::intermediate)
        take_rung(trial, integer(record.at("step")), number(record.at("intermediate_value")));
    else if (op == journal::Op::finish)
        take_state(trial, record.at("state"), record);
    else if (op == journal::Op::trial_attribute)
        for (const auto& [key, fact] : record.at("user_attr").items()) {
            const bool waits = key.starts_with("paused_"), goes_on = key.starts_with("promoted_");
            if ((key == "cause" || waits || goes_on) && fact.is_string())
                trial.cause = fact.get<std::string>();
            trial.paused = waits || (trial.paused && !goes_on);
        }
}

namespace {

std::string mismatch(const Space& space, const std::string& name, const json& internal,
                     const json& theirs)
{
    const auto found = std::ranges::find(space.parameters, name, &Parameter::name);
    if (found == space.parameters.end()) return name + ", which [space] doesn't search";
    const auto ours = json::parse(journal::distribution_json(found->distribution));
    const auto same = [&](const char* attribute) {
        return ours.at("attributes").value(attribute, json()) ==
               theirs.at("attributes").value(attribute, json());
    };
    if (ours.at("name") != theirs.at("name") || !same("log") || !same("choices"))
        return name + " from " + theirs.dump() + ", where [space] has " + ours.dump();
    const auto value = drawn(internal, theirs);
    if (!contains(found->distribution, value))
        return name + " = " + to_text(value) + ", which [space] never draws";
    return {};
}

}  // namespace

std::string mismatch(const Space& space, const json& record)
{
    if (record.contains("param_name"))
        return mismatch(space, record.at("param_name").get<std::string>(),
                        record.at("param_value_internal"), parsed(record.at("distribution")));
    if (record.contains("params"))
        for (const auto& [name, internal] : record.at("params").items()) {
            auto fault =
                mismatch(space, name, internal, parsed(record.at("distributions").at(name)));
            if (!fault.empty()) return fault;
        }
    return {};
}

}  // namespace barsweep::search
