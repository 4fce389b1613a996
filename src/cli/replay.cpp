#include <fmt/format.h>
#include <fmt/ostream.h>

#include <bit>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/agent.hpp"
#include "cli/job_arguments.hpp"
#include "cluster/crew.hpp"
#include "search/read_trials.hpp"

namespace po = boost::program_options;

namespace barsweep::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Another job or other bars would only say that everything differs.
void check_identity(const search::Recorded& recorded, const Job& job)
{
    for (const auto& [key, value] : job.plan.identity.items()) {
        const auto found = recorded.study.find(key);
        if (key == "study.trials" || (found != recorded.study.end() && found->second == value))
            continue;
        const bool bars = key.starts_with("data.");
        throw UserError({bars ? job.texts["data.store"] : job.texts.file,
                         fmt::format("{} as in the ledger, {}", key,
                                     found == recorded.study.end() ? "none" : found->second.dump()),
                         value.dump(),
                         bars ? "give --data the store that the study ran on"
                              : "put back the job.ini that the study ran with"});
    }
}

struct Difference {
    int rung = 0;
    std::string field, recorded, computed;
};

/// Of the same bits; a NaN is any NaN.
bool same(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::optional<Difference> compare(const search::Report& recorded, const search::Report& computed)
{
    const auto difference = [&](std::string field, const std::string& a, const std::string& b) {
        const auto told = [](const std::string& text) { return text.empty() ? "none" : text; };
        return Difference{recorded.rung, std::move(field), told(a), told(b)};
    };
    if (recorded.failure != computed.failure)
        return difference("failure", recorded.failure, computed.failure);
    if (!same(recorded.score, computed.score))
        return difference("score", fmt::to_string(recorded.score), fmt::to_string(computed.score));
    if (recorded.reason != computed.reason)
        return difference("reason", recorded.reason, computed.reason);

    auto names = recorded.metrics;
    names.insert(computed.metrics.begin(), computed.metrics.end());
    for (const auto& [name, any] : names) {
        const auto a = recorded.metrics.find(name), b = computed.metrics.find(name);
        const bool both = a != recorded.metrics.end() && b != computed.metrics.end();
        if (both && same(a->second, b->second)) continue;
        return difference(name, a == recorded.metrics.end() ? "" : fmt::to_string(a->second),
                          b == computed.metrics.end() ? "" : fmt::to_string(b->second));
    }
    return {};
}

/// Every rung that the ledger has, from the trial's start; a sweep's own way from what a trial
/// throws to its report.
std::optional<Difference> run_again(const StudyData& data, const search::Recorded& recorded)
{
    const auto agent = make_agent(data, {}, {});
    cluster::Crew crew{1, 0, agent.run};
    for (const auto& before : recorded.rungs) {
        crew.push({before.replicate, before.rung, recorded.trial, before.replicate});
        std::optional<search::Report> report;
        while (!report) report = crew.pop(std::chrono::seconds{1});
        if (auto difference = compare(before, *report)) return difference;
    }
    return {};
}

std::string text_of(std::int64_t trial, std::size_t rungs, const std::optional<Difference>& found)
{
    if (!found)
        return fmt::format("trial {}: score, metrics and failure of {} rungs are equal\n", trial,
                           rungs);
    return fmt::format("trial {}, rung {}, {}: {} in the ledger, {} now\n", trial, found->rung,
                       found->field, found->recorded, found->computed);
}

std::string json_of(std::int64_t trial, std::size_t rungs, const std::optional<Difference>& found)
{
    Json json{{"trial", trial}, {"rungs", rungs}, {"equal", !found}, {"difference", nullptr}};
    if (found)
        json["difference"] = {{"rung", found->rung},
                              {"field", found->field},
                              {"recorded", found->recorded},
                              {"computed", found->computed}};
    return json.dump(2) + "\n";
}

}  // namespace

Exit replay(const Arguments& arguments)
{
    po::options_description options{
        "usage: barsweep replay DIR --trial N [--data STORE.h5] [--json]\n"
        "Runs a trial of a study's folder again from its start, and compares every rung's score,\n"
        "metrics and failure with the ledger bit for bit. Exit status 1 and the first that "
        "differs"};
    options.add_options()("trial", po::value<std::int64_t>()->value_name("N"),
                          "number of the trial, from 0")(
        "data", po::value<std::string>()->value_name("STORE.h5"),
        "its bar store, where it no longer lies where job.ini says")("json", "one JSON object")(
        "help", "show this and stop");
    const auto given = parse_arguments(arguments, options, "DIR");
    if (given.count("help")) {
        fmt::print("{}", fmt::streamed(options));
        return Exit::done;
    }
    const std::filesystem::path folder =
        only_word(given, "DIR", "one folder of a study", "see `barsweep replay --help`");
    if (!given.count("trial"))
        throw UserError({"command line", "--trial N", "none",
                         "write for example `barsweep replay DIR --trial 0`"},
                        Exit::usage);
    const auto number = given["trial"].as<std::int64_t>();
    const auto recorded = search::read_recorded(folder / "ledger.jsonl", number);
    Overrides overrides;
    if (given.count("data")) overrides["data.store"] = given["data"].as<std::string>();
    const auto data = load_study(read_job(folder / "job.ini", overrides));
    check_identity(recorded, data.job);

    const auto found = run_again(data, recorded);
    const auto tell = given.count("json") ? json_of : text_of;
    fmt::print("{}", tell(number, recorded.rungs.size(), found));
    return found ? Exit::bug : Exit::done;
}

}  // namespace barsweep::cli
