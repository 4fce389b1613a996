#include <fmt/format.h>
#include <fmt/ostream.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bars/synthetic.hpp"
#include "base/time.hpp"
#include "cli/arguments.hpp"

namespace barsweep::cli {
namespace {

namespace po = boost::program_options;
using bars::SyntheticKind;

struct Options {
    bars::SyntheticOptions bars;
    std::string kind = "walk";
    std::string out;
};

po::options_description describe(Options& options)
{
    auto& bars = options.bars;
    po::options_description help{
        "usage: barsweep synth --kind walk|trend|sine|ou --bars N --seed S --out FILE.csv\n"
        "Synthetic one-minute bars from 2020-01-01 UTC, the same on every run of the same options",
        100};
    const auto number = [](auto& value, const char* name) {
        return po::value(&value)->default_value(value, fmt::format("{}", value))->value_name(name);
    };
    // clang-format off
    help.add_options()
        ("kind", number(options.kind, "KIND"),
            "walk: returns without mean or memory, nothing to be learnt; trend: a walk with a constant mean "
            "return; sine: noise around a sine; ou: Ornstein-Uhlenbeck, pulled back to the start price")
        ("bars", number(bars.bars, "N"), "how many bars, 1 to 100,000,000")
        ("seed", number(bars.seed, "S"), "of the random numbers")
        ("out", po::value(&options.out)->required()->value_name("FILE.csv"), "file to write")
        ("start", number(bars.start, "P"), "price of the first open")
        ("decimals", number(bars.decimals, "N"), "of prices, 0 to 9")
        ("volatility", number(bars.volatility, "X"), "standard deviation of a bar's return, a fraction")
        ("drift", number(bars.drift, "X"), "trend: mean return a bar, a fraction")
        ("amplitude", number(bars.amplitude, "X"), "sine: height, a fraction of the start price")
        ("period", number(bars.period, "N"), "sine: length, in bars")
        ("reversion", number(bars.reversion, "X"), "ou: share of the distance to the start price made good a bar")
        ("json", "print one JSON object")
        ("help,h", "show this and stop");
    // clang-format on
    return help;
}

void require(bool holds, const char* option, const char* expected, const std::string& found)
{
    if (!holds) throw UserError({option, expected, found, "correct the option"}, Exit::usage);
}

SyntheticKind kind_of(const std::string& name)
{
    if (name == "walk") return SyntheticKind::walk;
    if (name == "trend") return SyntheticKind::trend;
    if (name == "sine") return SyntheticKind::sine;
    require(name == "ou", "--kind", "walk, trend, sine or ou", "'" + name + "'");
    return SyntheticKind::ou;
}

void check(const bars::SyntheticOptions& bars)
{
    const auto fraction = [](const char* option, double value, double low) {
        require(value >= low && value <= 1, option, low < 0 ? "-1 to 1" : "0 to 1",
                fmt::format("{}", value));
    };
    require(bars.bars >= 1 && bars.bars <= 100'000'000, "--bars", "1 to 100,000,000",
            std::to_string(bars.bars));
    require(bars.decimals >= 0 && bars.decimals <= 9, "--decimals", "0 to 9",
            std::to_string(bars.decimals));
    require(bars.start > 0 && bars.start <= 1e6, "--start", "a price above 0, at most 1,000,000",
            fmt::format("{}", bars.start));
    require(bars.period >= 1, "--period", "1 bar or more", std::to_string(bars.period));
    fraction("--volatility", bars.volatility, 0);
    fraction("--drift", bars.drift, -1);
    fraction("--amplitude", bars.amplitude, 0);
    fraction("--reversion", bars.reversion, 0);
}

}  // namespace

Exit synth(const Arguments& arguments)
{
    Options options;
    const auto help = describe(options);
    const auto given = parse_arguments(arguments, help, "WORD");
    if (given.count("help")) {
        fmt::print("{}", fmt::streamed(help));
        return Exit::done;
    }
    if (const auto words = words_of(given, "WORD"); !words.empty())
        throw UserError(
            {"command line", "options alone", "'" + words[0] + "'", "see `barsweep synth --help`"},
            Exit::usage);
    options.bars.kind = kind_of(options.kind);
    check(options.bars);

    const auto series = bars::synthesize(options.bars);
    bars::write_csv(options.out, series);
    if (given.count("json"))
        fmt::print("{}\n",
                   nlohmann::ordered_json{{"out", options.out},
                                          {"kind", options.kind},
                                          {"bars", series.size()},
                                          {"seed", options.bars.seed},
                                          {"first", to_iso8601(series.time.front())},
                                          {"last", to_iso8601(series.time.back())},
                                          {"canonical_sha256", bars::canonical_sha256(series)}}
                       .dump(2));
    else
        fmt::print("{}: {} bars, {} to {}\n", options.out, series.size(),
                   to_iso8601(series.time.front()), to_iso8601(series.time.back()));
    return Exit::done;
}

}  // namespace barsweep::cli
