#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/time.hpp"
#include "cli/estimate.hpp"
#include "cli/job_arguments.hpp"
#include "cli/job_keys.hpp"
#include "report/table.hpp"

namespace barsweep::cli {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

const char* const usage =
    "barsweep check JOB.ini [--data STORE.h5] [--symbol S] [--SECTION.KEY VALUE ...] [--json]\n"
    "Resolves a job, checks it against its bars, estimates what it takes; starts nothing.\n";

const char* name(Source source)
{
    switch (source) {
        case Source::fallback:
            return "default";
        case Source::file:
            return "file";
        case Source::command_line:
            return "command line";
        case Source::trial:
            return "trial";
    }
    return "unknown";
}

/// Those that the kind of agent knows, in the order of FORMATS.md, [space] last.
std::string keys_table(const JobTexts& texts, AgentKind kind)
{
    Rows rows{{"key", "value", "from"}};
    const auto add = [&](const std::string& key, const JobText& value) {
        const auto line = value.line > 0 ? fmt::format(", line {}", value.line) : std::string{};
        rows.push_back({key, value.text.empty() ? "-" : value.text, name(value.source) + line});
    };
    for (const auto& key : job_keys())
        if (belongs(key.name, kind)) add(key.name, texts.values.at(key.name));
    for (const auto& [key, value] : texts.values)
        if (!find_key(key)) add(key, value);
    return report::align(rows);
}

std::string windows_table(const Job& job, const bars::BarSeries& series)
{
    Rows rows{{"window", "rows", "decisions", "first bar", "last bar"}};
    const auto add = [&](const char* title, bars::Window window) {
        rows.push_back({title, fmt::format("{}..{}", window.first, window.last),
                        std::to_string(window.decisions()),
                        to_iso8601(series.time[static_cast<std::size_t>(window.first)]),
                        to_iso8601(series.time[static_cast<std::size_t>(window.last)])});
    };
    add("train", job.windows.train);
    add("validation", job.windows.validation);
    add("test", job.windows.test);
    return report::align(rows);
}

/// "1.2e+03 s" of what can be told.
std::string seconds_text(double seconds)
{
    return std::isnan(seconds) ? "unknown: none of the trials could be run"
                               : fmt::format("{:.3g} s", seconds);
}

std::string estimate_text(const Job& job, const bars::BarSeries& series, const Estimate& cost)
{
    const auto grid = cost.grid_points == 0 ? std::string{"without end (a float has no step)"}
                                            : fmt::format("{} points", cost.grid_points);
    return fmt::format(
        "data    {} bars of {}, {:.6g} a year; {} rows of warm-up, {} of purge, {} of embargo\n"
        "grid    {}\n"
        "work    {} trials, at most {} {}\n"
        "time    at most {} on one thread; about {} here, on {} threads, as the pruner cuts\n"
        "memory  about {:.1f} MiB a rank\n",
        series.size(), series.symbol, job.ppy, job.split.warmup, job.split.purge, job.split.embargo,
        grid, cost.trials, cost.bars,
        job.kind == AgentKind::rule ? "bars" : "environment steps, and an evaluation a rung",
        seconds_text(cost.seconds_at_most), seconds_text(cost.seconds), cost.threads,
        static_cast<double>(cost.memory) / (1 << 20));
}

/// The highest value of a key that may be searched.
double highest(const Job& job, const std::string& key)
{
    for (const auto& [name, distribution] : job.plan.space.parameters) {
        if (name != key) continue;
        const auto* choice = std::get_if<search::Choice>(&distribution);
        if (!choice) return search::last_value(distribution);
        double most = 0;
        for (const auto& value : choice->values) most = std::max(most, std::stod(value));
        return most;
    }
    return std::stod(job.texts[key]);
}

/// Where a trial could be cut before its score means much.
std::vector<std::string> notes_of(const Job& job)
{
    const auto& [kind, rungs, warmup] =
        std::tie(job.plan.pruner.kind, job.plan.rungs, job.plan.pruner.warmup);
    if (job.kind == AgentKind::rule) return {};
    if (kind == search::PrunerKind::none && !job.plan.pruner.patience) return {};
    auto first = std::ranges::find_if(rungs, [&](auto step) { return step >= warmup; });
    if (first == rungs.end() || first + 1 == rungs.end()) return {};  // nothing is cut
    std::vector<std::string> notes;
    const auto add = [&](const std::string& what, double from) {
        notes.push_back(
            fmt::format("a trial may be cut at {} steps, before {} ({:.0f} steps): set "
                        "search.warmup = {:.0f} to wait",
                        *first, what, from, from));
    };
    if (const auto bars = job.windows.train.decisions(); *first < bars)
        add("it has seen every training bar once", static_cast<double>(bars));
    if (job.kind == AgentKind::dqn)
        if (const double low = std::ceil(highest(job, "agent.exploration_fraction") *
                                         static_cast<double>(rungs.back()));
            static_cast<double>(*first) < low)
            add("its epsilon has come down", low);
    return notes;
}

std::string notes_text(const Job& job)
{
    std::string text;
    for (const auto& note : notes_of(job)) text += "note    " + note + "\n";
    return text;
}

Json window_json(bars::Window window, const bars::BarSeries& series)
{
    return {{"first", window.first},
            {"last", window.last},
            {"decisions", window.decisions()},
            {"from", to_iso8601(series.time[static_cast<std::size_t>(window.first)])},
            {"to", to_iso8601(series.time[static_cast<std::size_t>(window.last)])}};
}

Json check_json(const Job& job, const bars::BarSeries& series, const Estimate& cost)
{
    Json keys = Json::object();
    for (const auto& [key, value] : job.texts.values) {
        keys[key] = {{"value", value.text}, {"from", name(value.source)}};
        if (value.line > 0) keys[key]["line"] = value.line;
    }
    return {{"job", keys},
            {"symbol", series.symbol},
            {"bars", series.size()},
            {"ppy", job.ppy},
            {"warmup", job.split.warmup},
            {"purge", job.split.purge},
            {"embargo", job.split.embargo},
            {"windows",
             {{"train", window_json(job.windows.train, series)},
              {"validation", window_json(job.windows.validation, series)},
              {"test", window_json(job.windows.test, series)}}},
            {"grid_points", cost.grid_points > 0 ? Json(cost.grid_points) : Json()},
            {"trials", cost.trials},
            {"bars_at_most", cost.bars},
            {"bars_per_second", static_cast<double>(cost.bars) / cost.seconds_at_most},
            {"seconds_at_most", cost.seconds_at_most},
            {"seconds", cost.seconds},
            {"threads", cost.threads},
            {"memory_bytes", cost.memory},
            {"notes", notes_of(job)}};
}

}  // namespace

Exit check(const Arguments& arguments)
{
    boost::program_options::options_description own{"Options"};
    own.add_options()("json", "one JSON object on stdout");
    const auto given = parse_job_arguments(arguments, usage, own);
    if (given.job.empty()) return Exit::done;

    const auto data = load_study(read_job(given.job, given.overrides));
    const auto& job = data.job;
    const auto& series = data.series;
    const auto cost = estimate(data);

    const auto text = given.options.count("json")
                          ? check_json(job, series, cost).dump(2) + "\n"
                          : keys_table(job.texts, job.kind) + "\n" + windows_table(job, series) +
                                "\n" + estimate_text(job, series, cost) + notes_text(job);
    std::fputs(text.c_str(), stdout);
    return Exit::done;
}

}  // namespace barsweep::cli
