#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cstdio>

#include "bars/source_file.hpp"
#include "cli/command.hpp"
#include "cli/job_arguments.hpp"
#include "sim/trace.hpp"

namespace barsweep::cli {
namespace {

constexpr const char* usage_text =
    "usage: barsweep account TRACE.json[.gz]\n"
    "Runs a recorded trace (inputs and every row of one account) and compares it: integers,\n"
    "observations and rewards to the last bit, rewards by a logarithm within one float. Exit "
    "status 1\n"
    "and the first row and field where they differ.\n"
    "  --help   show this and stop\n";

}  // namespace

Exit account(const Arguments& arguments)
{
    namespace po = boost::program_options;
    po::options_description options;
    options.add_options()("help", "");
    const auto given = parse_arguments(arguments, options, "TRACE", 1);
    if (given.count("help")) {
        std::fputs(usage_text, stdout);
        return Exit::done;
    }
    if (!given.count("TRACE")) {
        throw UserError(
            {"barsweep account", "a trace", "none", "write `barsweep account TRACE.json`"},
            Exit::usage);
    }
    const auto source = bars::read_source(given["TRACE"].as<std::vector<std::string>>().front());
    const auto trace = sim::read_trace(source.text, source.name);
    if (const auto difference = sim::compare_trace(trace)) {
        fmt::print("{}: row {}, {}: {} recorded, {} computed\n", source.name, difference->row,
                   difference->field, difference->recorded, difference->computed);
        return Exit::bug;
    }
    fmt::print("{}: {} rows are equal\n", source.name, trace.rows.size());
    return Exit::done;
}

}  // namespace barsweep::cli
