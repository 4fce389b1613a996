#include "cli/failure.hpp"

#include <fmt/format.h>

#include <boost/program_options/errors.hpp>

#include "base/log.hpp"

namespace barsweep::cli {

Exit tell_failure(const std::string& command)
{
    try {
        throw;
    } catch (const UserError& error) {
        log_line(error.what());
        return error.exit();
    } catch (const boost::program_options::error& error) {
        log_line(fmt::format("command line: {}. To fix: see `barsweep {} --help`.", error.what(),
                             command));
        return Exit::usage;
    } catch (const std::exception& error) {
        log_line(fmt::format(
            "internal error: {}. This is a bug of barsweep {}: please report it with the "
            "command and this line.",
            error.what(), BARSWEEP_VERSION));
        return Exit::bug;
    }
}

}  // namespace barsweep::cli
