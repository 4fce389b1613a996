#include "report/summary.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"

namespace barsweep::report {
namespace {

using Json = nlohmann::ordered_json;
using search::Direction;
using search::TrialState;

constexpr std::string_view reason_suffix = "_reason";

Json metrics_json(const Metrics& metrics)
{
    Json json = Json::object();
    for (const auto& [name, value] : metrics.values) json[name] = value;
    for (const auto& [name, reason] : metrics.reasons) {
        json[name] = nullptr;
        json[name + std::string{reason_suffix}] = reason;
    }
    return json;
}

Metrics read_metrics(const Json& json)
{
    Metrics metrics;
    for (const auto& [name, value] : json.items()) {
        if (value.is_number()) metrics.values[name] = value.get<double>();
        if (value.is_string() && name.ends_with(reason_suffix))
            metrics.reasons[name.substr(0, name.size() - reason_suffix.size())] =
                value.get<std::string>();
    }
    return metrics;
}

Json params_json(const search::Params& params)
{
    Json json = Json::object();
    for (const auto& [name, value] : params)
        std::visit([&](const auto& typed) { json[name] = typed; }, value);
    return json;
}

Json best_json(const Summary& summary)
{
    const auto* record = summary.best ? find_trial(summary, *summary.best) : nullptr;
    if (!record) return nullptr;
    Json json{{"trial", record->trial.number},
              {"params", params_json(record->trial.params)},
              {"score", record->value}};
    if (summary.validation) json["validation"] = metrics_json(summary.validation->winner);
    if (summary.test) json["test"] = metrics_json(summary.test->winner);
    return json;
}

Json rival_json(const Summary& summary, Metrics Comparison::*rival)
{
    Json json = Json::object();
    if (summary.validation) json["validation"] = metrics_json((*summary.validation).*rival);
    if (summary.test) json["test"] = metrics_json((*summary.test).*rival);
    return json;
}

std::optional<Comparison> read_window(const Json& json, const char* window)
{
    const auto part = [&](const char* whose) -> const Json* {
        const auto owner = json.find(whose);
        if (owner == json.end() || !owner->is_object() || !owner->contains(window)) return nullptr;
        return &(*owner)[window];
    };
    const auto* winner = part("best");
    const auto* hold = part("buy_and_hold");
    const auto* flat = part("flat");
    if (!winner || !hold || !flat) return std::nullopt;
    return Comparison{read_metrics(*winner), read_metrics(*hold), read_metrics(*flat)};
}

}  // namespace

const search::TrialRecord* find_trial(const Summary& summary, std::int64_t number)
{
    for (const auto& record : summary.trials)
        if (record.trial.number == number) return &record;
    return nullptr;
}

Json to_json(const Summary& summary)
{
    const auto count = [&](TrialState state) {
        return std::count_if(summary.trials.begin(), summary.trials.end(),
                             [&](const auto& record) { return record.state == state; });
    };
    Json json;
    json["study"] = summary.study;
    json["score"] = summary.score;
    json["direction"] = summary.direction == Direction::maximize ? "maximize" : "minimize";
    json["trials"] = {{"complete", count(TrialState::complete)},
                      {"pruned", count(TrialState::pruned)},
                      {"fail", count(TrialState::fail)},
                      {"running", count(TrialState::running)}};
    json["best"] = best_json(summary);
    json["buy_and_hold"] = rival_json(summary, &Comparison::buy_and_hold);
    json["flat"] = rival_json(summary, &Comparison::flat);
    json["verdict"] = summary.verdict;
    json["seconds"] = summary.seconds;
    json["steps"] = summary.steps;
    json["busy"] = summary.busy;
    json["steps_per_second"] =
        summary.seconds > 0 ? Json(static_cast<double>(summary.steps) / summary.seconds) : Json();
    return json;
}

Summary from_json(const Json& json, const std::string& where)
{
    const auto refuse = [&](const std::string& found) {
        return UserError({where, "a summary written by `barsweep sweep`", found,
                          "run the sweep again on this folder: it answers from its ledger"});
    };
    for (const auto* key : {"study", "score", "direction", "best", "verdict", "seconds", "steps"})
        if (!json.is_object() || !json.contains(key))
            throw refuse("a file without the key '" + std::string{key} + "'");
    try {
        Summary summary;
        summary.study = json["study"].get<std::string>();
        summary.score = json["score"].get<std::string>();
        const bool least = json["direction"] == "minimize";
        summary.direction = least ? Direction::minimize : Direction::maximize;
        if (json["best"].is_object()) summary.best = json["best"].at("trial").get<std::int64_t>();
        summary.validation = read_window(json, "validation");
        summary.test = read_window(json, "test");
        summary.verdict = json["verdict"].get<std::string>();
        summary.seconds = json["seconds"].get<double>();
        summary.steps = json["steps"].get<std::int64_t>();
        summary.busy = json.value("busy", 1.0);
        return summary;
    } catch (const Json::exception&) {
        throw refuse("a key whose value is of another kind");
    }
}

}  // namespace barsweep::report
