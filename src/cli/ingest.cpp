#include <fmt/format.h>
#include <fmt/ostream.h>

#include <array>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "bars/bar_store.hpp"
#include "bars/csv_import.hpp"
#include "cli/arguments.hpp"
#include "cli/store_summary.hpp"

namespace barsweep::cli {
namespace {

namespace po = boost::program_options;

/// The choices as they are typed; the rest becomes ImportOptions at once.
struct Options {
    bars::ImportOptions import;
    std::vector<std::string> files;
    std::string out;
    std::string format = "auto", duplicates = "error", gaps = "report";
};

po::options_description describe(Options& options)
{
    auto& import = options.import;
    po::options_description help{
        "usage: barsweep ingest FILE... --out STORE.h5 [OPTION...]\n"
        "Bars from CSV files (plain or gzip; several are one series, in order) "
        "to a bar store, with the features that policies read",
        100};
    const auto text = [](std::string& value, const char* name) {
        return po::value(&value)->default_value(value)->value_name(name);
    };
    // clang-format off
    help.add_options()
        ("out", po::value(&options.out)->required()->value_name("STORE.h5"), "store to write (HDF5)")
        ("format", text(options.format, "F"),
            "auto|csv|binance|bitfinex: csv has a header that names its columns; auto takes a file without "
            "one only where its order can be told")
        ("columns", text(import.columns, "LIST"),
            "names of the columns in order, as time,open,high,low,close,volume; another name is passed over")
        ("timezone", text(import.timezone, "ZONE"),
            "of times that name none: UTC or a fixed offset, UTC-5 or +02:00")
        ("symbol", text(import.symbol, "S"), "name of the series; without it the file's name")
        ("decimals", po::value(&import.decimals)->default_value(import.decimals)->value_name("N"),
            "digits after the point that a price may have, 0 to 9; finer ones are an error")
        ("duplicates", text(options.duplicates, "POLICY"),
            "error|first|last: which row of a time that stands there twice is kept")
        ("sort", po::bool_switch(&import.sort), "allow rows in any order, as newest first")
        ("gaps", text(options.gaps, "POLICY"),
            "report|fill|error: fill puts flat bars at the last close, volume 0")
        ("allow-nonpositive", po::bool_switch(&import.allow_nonpositive),
            "take prices at or below zero; their log returns count as 0")
        ("max-jump", po::value(&import.max_jump)->default_value(0.5, "0.5")->value_name("X"),
            "change from close to close, as a fraction, above which a bar is reported")
        ("json", "print one JSON object")
        ("help,h", "show this and stop");
    // clang-format on
    return help;
}

template <class Choice, std::size_t n>
Choice choose(const char* option, const std::string& text,
              const std::array<std::pair<std::string_view, Choice>, n>& choices)
{
    std::string names;
    for (const auto& [name, choice] : choices) {
        if (name == text) return choice;
        names += (names.empty() ? "" : ", ") + std::string{name};
    }
    throw UserError({option, "one of " + names, "'" + text + "'", "choose one of them"},
                    Exit::usage);
}

void resolve(Options& options)
{
    using bars::CsvFormat, bars::Duplicates, bars::Gaps;
    auto& import = options.import;
    import.format = choose("--format", options.format,
                           std::array<std::pair<std::string_view, CsvFormat>, 4>{
                               { {"auto", CsvFormat::automatic},
                                 {"csv", CsvFormat::csv},
                                 {"binance", CsvFormat::binance},
                                 { "bitfinex",
                                   CsvFormat::bitfinex } }});
    import.duplicates = choose("--duplicates", options.duplicates,
                               std::array<std::pair<std::string_view, Duplicates>, 3>{
                                   { {"error", Duplicates::error},
                                     {"first", Duplicates::first},
                                     { "last",
                                       Duplicates::last } }});
    import.gaps = choose("--gaps", options.gaps,
                         std::array<std::pair<std::string_view, Gaps>, 3>{
                             { {"report", Gaps::report},
                               {"fill", Gaps::fill},
                               { "error",
                                 Gaps::error } }});
    if (import.decimals < 0 || import.decimals > 9)
        throw UserError(
            {"--decimals", "0 to 9", std::to_string(import.decimals), "choose one of them"},
            Exit::usage);
    if (!std::isfinite(import.max_jump) || import.max_jump <= 0)
        throw UserError({"--max-jump", "a fraction above 0", fmt::format("{}", import.max_jump),
                         "write 0.5 for 50 %"},
                        Exit::usage);
    if (options.files.empty())
        throw UserError({"barsweep ingest", "at least one file of bars", "none",
                         "write `barsweep ingest FILE.csv --out STORE.h5`"},
                        Exit::usage);
}

}  // namespace

Exit ingest(const Arguments& arguments)
{
    Options options;
    const auto help = describe(options);
    const auto given = parse_arguments(arguments, help, "FILE");
    if (given.count("help")) {
        fmt::print("{}", fmt::streamed(help));
        return Exit::done;
    }
    options.files = words_of(given, "FILE");
    resolve(options);

    auto [series, info] =
        bars::import_csv({options.files.begin(), options.files.end()}, options.import);
    info.created_by = "barsweep " BARSWEEP_VERSION;
    bars::write_store(options.out, series, info);
    const auto stored = bars::describe_features(options.out, series.symbol);
    info.features = stored.count;
    info.features_type = stored.type;
    if (given.count("json"))
        fmt::print("{}", summary_json(series, info));
    else
        fmt::print("{}: {} bars\n{}", options.out, series.size(), summary_text(series, info));
    return Exit::done;
}

}  // namespace barsweep::cli
