#include <fmt/format.h>
#include <fmt/ostream.h>

#include <boost/program_options.hpp>

#include "bars/bar_store.hpp"
#include "base/log.hpp"
#include "cli/command.hpp"
#include "cli/store_summary.hpp"

namespace barsweep::cli {
namespace {

namespace po = boost::program_options;

}  // namespace

Exit info(const Arguments& arguments)
{
    std::string store, symbol;
    po::options_description help{
        "usage: barsweep info STORE.h5 [OPTION...]\nWhat is in a bar store", 100};
    // clang-format off
    help.add_options()
        ("symbol", po::value(&symbol)->default_value("")->value_name("S"),
            "which series; needed only where the store has several")
        ("verify", "read every byte and check it against the checksums")
        ("json", "print one JSON object")
        ("help", "show this and stop");
    // clang-format on
    po::options_description all;
    all.add(help).add_options()("store", po::value(&store));
    po::positional_options_description position;
    position.add("store", 1);
    po::variables_map given;
    po::store(po::command_line_parser(arguments).options(all).positional(position).run(), given);
    if (given.count("help")) {
        fmt::print("{}", fmt::streamed(help));
        return Exit::done;
    }
    po::notify(given);
    if (store.empty())
        throw UserError({"barsweep info", "a bar store", "none", "write `barsweep info STORE.h5`"},
                        Exit::usage);

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
