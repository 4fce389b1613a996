#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/failure.hpp"
#include "cli/nearest.hpp"

using namespace barsweep;
using cli::Arguments;

namespace {

constexpr std::array commands{
    cli::Command{"ingest", "bars from CSV files to a store", cli::ingest},
    cli::Command{"info", "what is in a store", cli::info},
    cli::Command{"synth", "synthetic bars as a CSV file", cli::synth},
    cli::Command{"check", "resolve a job and estimate it, start nothing", cli::check},
    cli::Command{"sweep", "run a job; run again, it goes on where it was", cli::sweep},
    cli::Command{"backtest", "one rule, given actions or a policy over a store", cli::backtest},
    cli::Command{"replay", "a trial of a study once more, compared bit for bit", cli::replay},
    cli::Command{"report", "the trials and the winner of a study's folder", cli::report},
    cli::Command{"account", "run a recorded trace and compare it exactly", cli::account},
};

std::string usage()
{
    std::string text = "usage: barsweep COMMAND [ARGUMENT...]\n\n";
    for (const auto& command : commands)
        text += fmt::format("  {:<10}{}\n", command.name, command.summary);
    return text +
           "\n`barsweep COMMAND --help` shows its options, with defaults and units.\n"
           "Under `mpirun -n R` or `srun` every rank runs the same command.\n";
}

Exit dispatch(const std::string& name, const Arguments& arguments)
{
    if (name == "--help" || name == "-h" || name == "help") {
        std::fputs(usage().c_str(), stdout);
        return Exit::done;
    }
    if (name == "--version") {
        std::puts("barsweep " BARSWEEP_VERSION);
        return Exit::done;
    }
    for (const auto& command : commands)
        if (name == command.name) return command.run(arguments);

    std::vector<std::string> names;
    for (const auto& command : commands) names.emplace_back(command.name);
    throw UserError({"command line", "a command of `barsweep --help`", "'" + name + "'",
                     "write `" + cli::nearest(name, names) + "`, the nearest there is"},
                    Exit::usage);
}

/// Where the caller closed stdin, stdout or stderr, the next file opened would get its number: log
/// lines would go into the ledger. A closed stdout stays one that can't be written.
void hold_standard_streams()
{
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(number, F_GETFD) < 0)
            ::open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

/// Failed writes shall come back as errors that name the file: not kill the program at a file-size
/// limit, or because the reader of a pipe has gone.
void ignore_write_signals()
{
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
}

/// A result that never reached the file or pipe behind stdout is not a success.
Exit flushed(Exit exit)
{
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return exit;
    throw UserError({"standard output", "room for the result", "a write that failed",
                     "free space or redirect it elsewhere, then run the same command again"},
                    Exit::machine);
}

}  // namespace

int main(int argc, char** argv)
try {
    hold_standard_streams();
    ignore_write_signals();
    if (argc < 2) {
        std::fputs(usage().c_str(), stderr);
        return static_cast<int>(Exit::usage);
    }
    return static_cast<int>(flushed(dispatch(argv[1], {argv + 2, argv + argc})));
} catch (...) {
    return static_cast<int>(cli::tell_failure(argv[1]));
}
