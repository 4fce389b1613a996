#include <fmt/format.h>
#include <fmt/ostream.h>

#include <boost/program_options.hpp>

#include "bars/bar_store.hpp"
#include "base/log.hpp"
#include "cli/arguments.hpp"
#include "cli/store_summary.hpp"

namespace barsweep::cli {

Exit info(const Arguments& arguments)
{
    namespace po = boost::program_options;
    std::string symbol;
    po::options_description help{
        "usage: barsweep info STORE.h5 [OPTION...]\nWhat is in a bar store", 100};
    // clang-format off
    help.add_options()
        ("symbol", po::value(&symbol)->default_value("")->value_name("S"),
            "which series; needed only where the store has several")
        ("verify", "read every byte and check it against the checksums")
        ("json", "print one JSON object")
        ("help,h", "show this and stop");
    // clang-format on
    const auto given = parse_arguments(arguments, help, "STORE");
    if (given.count("help")) {
        fmt::print("{}", fmt::streamed(help));
        return Exit::done;
    }
    const auto store = only_word(given, "STORE", "one bar store", "write `barsweep info STORE.h5`");
    const bool verify = given.count("verify") > 0;
    const auto series = bars::read_store(store, symbol, verify);
    auto about = bars::read_info(store, symbol);
    if (about.canonical_sha256.empty()) about.canonical_sha256 = bars::canonical_sha256(series);
    fmt::print("{}",
               given.count("json") ? summary_json(series, about) : summary_text(series, about));
    if (verify) log_line(store + ": every checksum is right");
    return Exit::done;
}

}  // namespace barsweep::cli
