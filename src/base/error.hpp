#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace barsweep {

/// Exit statuses of every subcommand; README.md lists them for job scripts.
enum class Exit {
    done = 0,
    bug = 1,        ///< a fault of this program, or (`account`, `replay`) a difference found
    usage = 2,      ///< the command line
    bad_input = 3,  ///< a file, a job, a store
    nothing = 4,    ///< done, but no trial passed selection
    machine = 5,    ///< the machine lacks something: disk space, a library, MPI wiring
    stopped = 75,   ///< stopped early with everything kept; the same command goes on
};

/// What a person needs to put their input right. The four make one sentence:
/// `WHERE: expected EXPECTED, found FOUND. To fix: FIX.`
struct Problem {
    std::string where;  ///< file, and the row or dataset in it
    std::string expected;
    std::string found;
    std::string fix;  ///< a command or an edit, in the imperative
};

/// The input, the command line or the machine is at fault. Everything else that goes wrong is a
/// bug in this program, and is an assert or a std::logic_error.
class UserError : public std::runtime_error {
public:
    explicit UserError(Problem problem, Exit exit = Exit::bad_input)
        : std::runtime_error(problem.where + ": expected " + problem.expected + ", found " +
                             problem.found + ". To fix: " + problem.fix + "."),
          problem_(std::move(problem)),
          exit_(exit)
    {
    }

    const Problem& problem() const noexcept { return problem_; }
    Exit exit() const noexcept { return exit_; }

private:
    Problem problem_;
    Exit exit_;
};

}  // namespace barsweep
