#include "cluster/wire.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace barsweep::cluster {
namespace {

using nlohmann::json;

json from_double(double value)
{
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;  // NaN is dumped as null
}

double to_double(const json& value)
{
    constexpr auto limits = std::numeric_limits<double>{};
    if (value.is_null()) return limits.quiet_NaN();
    if (value.is_string()) return value == "inf" ? limits.infinity() : -limits.infinity();
    return value.get<double>();
}

/// The JSON type tells the alternatives apart: 3.0, 3, "3".
json from_params(const search::Params& params)
{
    auto object = json::object();
    for (const auto& [name, value] : params)
        std::visit([&](const auto& held) { object[name] = held; }, value);
    return object;
}

search::Params to_params(const json& object)
{
    search::Params params;
    for (const auto& [name, value] : object.items()) {
        if (value.is_string())
            params[name] = value.get<std::string>();
        else if (value.is_number_float())
            params[name] = value.get<double>();
        else
            params[name] = value.get<std::int64_t>();
    }
    return params;
}

json from_metrics(const std::map<std::string, double>& metrics)
{
    auto object = json::object();
    for (const auto& [name, value] : metrics) object[name] = from_double(value);
    return object;
}

std::map<std::string, double> to_metrics(const json& object)
{
    std::map<std::string, double> metrics;
    for (const auto& [name, value] : object.items()) metrics[name] = to_double(value);
    return metrics;
}

struct ToJson {
    json operator()(const Task& task) const
    {
        return {{"kind", "task"},
                {"slot", task.slot},
                {"rung", task.rung},
                {"trial", task.trial.number},
                {"params", from_params(task.trial.params)},
                {"replicate", task.replicate}};
    }
    json operator()(const search::Report& report) const
    {
        return {{"kind", "report"},
                {"trial", report.trial},
                {"rung", report.rung},
                {"replicate", report.replicate},
                {"score", from_double(report.score)},
                {"reason", report.reason},
                {"failure", report.failure},
                {"metrics", from_metrics(report.metrics)},
                {"seconds", report.seconds},
                {"rank", report.rank},
                {"device", report.device}};
    }
    json operator()(Join join) const { return {{"kind", "join"}, {"capacity", join.capacity}}; }
    json operator()(StopRequest stop) const { return {{"kind", "stop"}, {"signal", stop.signal}}; }
    json operator()(const Bye& bye) const { return {{"kind", "bye"}, {"why", bye.why}}; }
    json operator()(const Start& start) const
    {
        return {{"kind", "start"}, {"study", start.study}};
    }
    json operator()(Home home) const { return {{"kind", "home"}, {"ending", home.ending}}; }
    json operator()(Alive) const { return {{"kind", "alive"}}; }
};

search::Report to_report(const json& line)
{
    return {.trial = line.at("trial"),
            .rung = line.at("rung"),
            .replicate = line.at("replicate"),
            .score = to_double(line.at("score")),
            .reason = line.at("reason"),
            .failure = line.at("failure"),
            .metrics = to_metrics(line.at("metrics")),
            .seconds = line.at("seconds"),
            .rank = line.at("rank"),
            .device = line.at("device")};
}

Message to_message(const json& line)
{
    const std::string kind = line.at("kind");
    if (kind == "task")
        return Task{line.at("slot"),
                    line.at("rung"),
                    {line.at("trial"), to_params(line.at("params"))},
                    line.at("replicate")};
    if (kind == "report") return to_report(line);
    if (kind == "join") return Join{line.at("capacity")};
    if (kind == "stop") return StopRequest{line.at("signal")};
    if (kind == "bye") return Bye{line.at("why")};
    if (kind == "start") return Start{line.at("study")};
    if (kind == "home") return Home{line.at("ending")};
    if (kind == "alive") return Alive{};
    throw std::runtime_error("message of an unknown kind");
}

std::string dump(const json& value)
{
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string to_line(const Message& message)
{
    return dump(std::visit(ToJson{}, message));
}

Message from_line(std::string_view line)
{
    try {
        return to_message(json::parse(line));
    } catch (const std::exception& error) {
        throw std::runtime_error(
            "a message between ranks can't be read (do all run the same "
            "build?): " +
            std::string{line} + " (" + error.what() + ")");
    }
}

std::string valid_utf8(const std::string& text)
{
    return json::parse(dump(text));
}

}  // namespace barsweep::cluster
