#include <fmt/format.h>
#include <fmt/ostream.h>

#include <boost/program_options.hpp>

#include "bars/source_file.hpp"
#include "cli/arguments.hpp"
#include "sim/trace.hpp"

namespace barsweep::cli {
namespace {

constexpr const char* usage_text =
    "usage: barsweep account TRACE.json[.gz]\n"
    "Runs a recorded trace (inputs and every row of one account) and compares it: integers,\n"
    "observations and rewards to the last bit, rewards by a logarithm within one float. Where\n"
    "they differ, the first row and field, and exit status 1";

}  // namespace

Exit account(const Arguments& arguments)
{
    namespace po = boost::program_options;
    po::options_description options{usage_text, 100};
    options.add_options()("help,h", "show this and stop");
    const auto given = parse_arguments(arguments, options, "TRACE");
    if (given.count("help")) {
        fmt::print("{}", fmt::streamed(options));
        return Exit::done;
    }
    const auto source = bars::read_source(
        only_word(given, "TRACE", "one trace", "write `barsweep account TRACE.json`"));
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
