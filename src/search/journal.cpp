#include "search/journal.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "search/json_text.hpp"
#include "search/numbers.hpp"

namespace barsweep::search::journal {
namespace {

template <class... Ts>
struct Match : Ts... {
    using Ts::operator()...;
};

std::string head(Op op)
{
    return "{\"op_code\":" + shortest(static_cast<int>(op)) + ",\"worker_id\":\"" +
           std::string(worker) + "\",";
}

std::string head(Op op, std::int64_t trial)
{
    return head(op) + "\"trial_id\":" + shortest(trial) + ",";
}

std::string attribute(std::string_view key, std::string_view json)
{
    return "\"user_attr\":{" + json_string(key) + ":" + std::string(json) + "}}";
}

const char* text(bool yes)
{
    return yes ? "true" : "false";
}

/// Takes an integer off the front of `rest`.
template <class T>
std::optional<T> take_integer(std::string_view& rest)
{
    const auto length = std::min(rest.find_first_not_of("-0123456789"), rest.size());
    const auto number = parse_number<T>(rest.substr(0, length));
    rest.remove_prefix(length);
    return number;
}

constexpr std::string_view check_member = ",\"check\":\"";

/// FNV-1a, 64 bits (G. Fowler, L. C. Noll, P. Vo), in hex: a report is taken from the ledger
/// instead of being computed again, so nothing else would notice a damaged metric.
std::string check_of(std::string_view body)
{
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const unsigned char byte : body) sum = (sum ^ byte) * 0x100000001b3;
    return fmt::format("{:016x}", sum);
}

bool take(std::string_view& rest, std::string_view word)
{
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
}

}  // namespace

std::string create_study(std::string_view name, int direction)
{
    return head(Op::create_study) + "\"study_name\":" + json_string(name) + ",\"directions\":[" +
           shortest(direction) + "]}";
}

std::string study_attribute(std::string_view key, std::string_view json)
{
    return head(Op::study_attribute) + "\"study_id\":0," + attribute(key, json);
}

std::string create_trial()
{
    return head(Op::create_trial) + "\"study_id\":0,\"datetime_start\":\"" + time() + "\"}";
}

std::string trial_attribute(std::int64_t trial, std::string_view key, std::string_view json)
{
    return head(Op::trial_attribute, trial) + attribute(key, json);
}

std::string intermediate(std::int64_t trial, std::int64_t step, double value)
{
    return head(Op::intermediate, trial) + "\"step\":" + shortest(step) +
           ",\"intermediate_value\":" + json_number(value) + "}";
}

std::string finish(std::int64_t trial, TrialState state, std::optional<double> value)
{
    return head(Op::finish, trial) + "\"state\":" + shortest(static_cast<int>(state)) +
           ",\"values\":" + (value ? std::string("[") + json_number(*value) + "]" : "null") +
           ",\"datetime_complete\":\"" + time() + "\"}";
}

std::string distribution_json(const Distribution& distribution)
{
    const double last = last_value(distribution);
    return std::visit(
        Match{[last](const FloatRange& range) {
                  return R"({"name": "FloatDistribution", "attributes": {"step": )" +
                         (range.step > 0 ? json_number(range.step) : "null") + R"(, "low": )" +
                         json_number(range.low) + R"(, "high": )" + json_number(last) +
                         R"(, "log": )" + text(range.log) + "}}";
              },
              [last](const IntRange& range) {
                  return std::string(R"({"name": "IntDistribution", "attributes": {"log": )") +
                         text(range.log) + R"(, "step": )" + shortest(range.step) + R"(, "low": )" +
                         shortest(range.low) + R"(, "high": )" +
                         shortest(static_cast<std::int64_t>(last)) + "}}";
              },
              [](const Choice& choice) {
                  std::string choices;
                  for (const auto& value : choice.values)
                      choices.append(choices.empty() ? "" : ", ").append(json_string(value));
                  return R"({"name": "CategoricalDistribution", "attributes": {"choices": [)" +
                         choices + "]}}";
              }},
        distribution);
}

ParameterForm parameter_form(const Parameter& parameter)
{
    return {"\"param_name\":" + json_string(parameter.name) + ",\"param_value_internal\":",
            ",\"distribution\":" + json_string(distribution_json(parameter.distribution)) + "}"};
}

std::string parameter(std::int64_t trial, const ParameterForm& form,
                      const Distribution& distribution, const Value& value)
{
    const auto internal = std::visit(
        Match{[](const Choice& choice, const std::string& x) {
                  return shortest(std::ranges::find(choice.values, x) - choice.values.begin());
              },
              [](const auto&, const std::string& x) { return json_string(x); },
              [](const auto&, auto number) { return json_number(static_cast<double>(number)); }},
        distribution, value);
    return head(Op::parameter, trial) + form.before + internal + form.after;
}

std::optional<Value> recorded_value(std::string_view record, std::int64_t trial,
                                    const ParameterForm& form, const Distribution& distribution)
{
    if (!take(record, head(Op::parameter, trial)) || !take(record, form.before) ||
        !record.ends_with(form.after))
        return {};
    record.remove_suffix(form.after.size());
    const auto number = parse_number<double>(record);
    if (!number) return {};
    const auto value = std::visit(
        Match{[&](const FloatRange&) -> Value { return *number; },
              [&](const IntRange&) -> Value { return std::int64_t{std::llround(*number)}; },
              [&](const Choice& choice) -> Value {
                  const auto index = static_cast<std::size_t>(std::llround(*number));
                  return *number >= 0 && index < choice.values.size() ? choice.values[index] : "";
              }},
        distribution);
    if (!contains(distribution, value)) return {};
    return value;
}

std::string standing_name(std::string_view what, int rung)
{
    return std::string(what) + "_" + shortest(rung);
}

bool is_promotion(std::string_view record)
{
    static const std::string start = head(Op::trial_attribute) + "\"trial_id\":";
    return take(record, start) && take_integer<std::int64_t>(record) &&
           take(record, ",\"user_attr\":{\"promoted_");
}

std::string rung_name(int rung, int replicate)
{
    return "rung_" + shortest(rung) + (replicate == 0 ? "" : "_replicate_" + shortest(replicate));
}

std::string rung_json(const Report& report)
{
    std::string metrics;
    for (const auto& [name, value] : report.metrics)
        if (std::isfinite(value))
            metrics.append(metrics.empty() ? "" : ",")
                .append(json_string(name) + ":" + json_number(value));
    const std::string body =
        "\"score\":" + (std::isfinite(report.score) ? json_number(report.score) : "null") +
        ",\"reason\":" + json_string(report.reason) +
        ",\"failure\":" + json_string(report.failure) + ",\"metrics\":{" + metrics + "}";
    return std::string("{") + body + std::string(check_member) + check_of(body) +
           "\",\"seconds\":" + json_number(report.seconds) + ",\"rank\":" + shortest(report.rank) +
           ",\"device\":" + json_string(report.device) + "}";
}

std::optional<TrialRung> find_rung(std::string_view record)
{
    static const std::string start = head(Op::trial_attribute) + "\"trial_id\":";
    if (!take(record, start)) return {};
    const auto trial = take_integer<std::int64_t>(record);
    if (!trial || !take(record, ",\"user_attr\":{\"rung_")) return {};
    const auto rung = take_integer<int>(record);
    const auto replicate =
        take(record, "_replicate_") ? take_integer<int>(record) : std::optional(0);
    if (!rung || !replicate || !take(record, "\":{")) return {};
    return TrialRung{*trial, *rung, *replicate};
}

Report parse_rung(std::string_view record)
{
    const auto json = nlohmann::json::parse(strict_json(record));
    const auto& value = json.at("user_attr").front();
    const auto body = record.substr(record.find("\":{\"score\"") + 3);
    if (value.at("check") != check_of(body.substr(0, body.find(check_member))))
        throw std::runtime_error("the report isn't what its check says");
    Report report;
    report.trial = json.at("trial_id").get<std::int64_t>();
    report.rung = find_rung(record).value().rung;
    report.replicate = find_rung(record).value().replicate;
    report.score = value.at("score").is_null() ? std::nan("") : value.at("score").get<double>();
    report.reason = value.at("reason").get<std::string>();
    report.failure = value.at("failure").get<std::string>();
    report.metrics = value.at("metrics").get<std::map<std::string, double>>();
    report.seconds = value.value("seconds", 0.0);
    report.rank = value.value("rank", 0);
    report.device = value.value("device", "");
    return report;
}

std::string_view stable_part(std::string_view record)
{
    const auto end = std::min(record.find(",\"datetime_"), record.find(",\"seconds\":"));
    return record.substr(0, end);
}

std::optional<Heading> heading(std::string_view record)
{
    static const std::string ours =
        head(Op::create_study).substr(std::string_view("{\"op_code\":0").size());
    std::string_view rest = record;
    if (take(rest, "{\"op_code\":") && !rest.empty() && rest[0] >= '0' && rest[0] <= '9' &&
        rest.substr(1).starts_with(ours))
        return Heading{static_cast<Op>(rest[0] - '0'), true, -1};

    const auto json = nlohmann::json::parse(strict_json(record), nullptr, false);
    const auto op = json.find("op_code"), author = json.find("worker_id");
    if (op == json.end() || !op->is_number_unsigned() || *op > 10) return {};
    if (author == json.end() || !author->is_string()) return {};
    Heading heading{static_cast<Op>(op->get<int>()), *author == worker, -1};
    if (heading.op >= Op::parameter && heading.op <= Op::trial_system_attribute) {
        const auto trial = json.find("trial_id");
        if (trial == json.end() || !trial->is_number_unsigned()) return {};
        if (!heading.ours) heading.trial = trial->get<std::int64_t>();
    }
    return heading;
}

std::string time()
{
    using namespace std::chrono;
    const auto now = floor<microseconds>(system_clock::now());
    const auto second = floor<seconds>(now);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}+00:00",
                       fmt::gmtime(system_clock::to_time_t(second)), (now - second).count());
}

}  // namespace barsweep::search::journal
