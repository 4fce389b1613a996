#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "base/whole_file.hpp"
#include "cli/arguments.hpp"
#include "cli/job_texts.hpp"
#include "report/csv.hpp"
#include "report/summary.hpp"
#include "report/table.hpp"
#include "search/read_trials.hpp"

namespace po = boost::program_options;

namespace barsweep::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* usage =
    "usage: barsweep report DIR [--csv FILE] [--top N] [--json]\n"
    "The trials and the winner of a study's folder, also while it runs.\n";

/// What the job says of a study that has no summary yet.
report::Summary unfinished(const std::filesystem::path& folder)
{
    const auto job = folder / "job.ini";
    if (!std::filesystem::exists(job))
        throw UserError({folder.string(), "job.ini beside ledger.jsonl", "none",
                         "run `barsweep sweep` on this folder again: it writes both"});
    const auto texts = read_job(job, {});
    report::Summary summary;
    summary.study = texts["study.name"];
    summary.score = texts["study.score"];
    if (texts["study.direction"] == "minimize") summary.direction = search::Direction::minimize;
    summary.verdict = "not finished: run `barsweep sweep` on this folder again";
    return summary;
}

report::Summary finished(const std::filesystem::path& file)
{
    std::ifstream stream{file, std::ios::binary};
    std::ostringstream text;
    text << stream.rdbuf();
    return report::from_json(Json::parse(text.str(), nullptr, false), file.string());
}

report::Summary read_study(const std::filesystem::path& folder)
{
    std::error_code unknown;  // a folder that may not be looked into counts as none
    const auto ledger = folder / "ledger.jsonl";
    if (!std::filesystem::exists(ledger, unknown))
        throw UserError({folder.string(), "the folder of a study, with its ledger.jsonl",
                         std::filesystem::exists(folder, unknown) ? "none in it" : "no such folder",
                         "name the folder that `barsweep sweep --out` wrote"});
    const auto file = folder / "summary.json";
    auto summary = std::filesystem::exists(file, unknown) ? finished(file) : unfinished(folder);
    summary.trials = search::read_trials(ledger);
    return summary;
}

}  // namespace

Exit report(const Arguments& arguments)
{
    po::options_description options{"Options"};
    options.add_options()("csv", po::value<std::string>()->value_name("FILE"),
                          "all trials, exact, as CSV")(
        "top", po::value<std::int64_t>()->value_name("N")->default_value(10), "trials to show")(
        "json", "one JSON object on stdout")("help,h", "this");
    const auto given = parse_arguments(arguments, options, "DIR");
    if (given.count("help")) {
        std::ostringstream text;
        text << usage << "\n" << options;
        std::fputs(text.str().c_str(), stdout);
        return Exit::done;
    }
    const auto top = given["top"].as<std::int64_t>();
    if (top < 0)
        throw UserError({"command line", "--top as 0 or more trials", std::to_string(top),
                         "write for example --top 10"},
                        Exit::usage);
    const auto summary = read_study(
        only_word(given, "DIR", "one folder of a study", "see `barsweep report --help`"));
    if (given.count("csv"))
        write_whole(given["csv"].as<std::string>(), report::trials_csv(summary));
    const auto text = given.count("json")
                          ? report::to_json(summary).dump(2) + "\n"
                          : report::trials_table(summary, static_cast<std::size_t>(top)) + "\n" +
                                report::winner_table(summary);
    std::fputs(text.c_str(), stdout);
    return Exit::done;
}

}  // namespace barsweep::cli
