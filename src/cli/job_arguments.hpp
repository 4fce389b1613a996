#pragma once
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <filesystem>
#include <string>

#include "cli/arguments.hpp"
#include "cli/job_texts.hpp"

namespace barsweep::cli {

/// What stands after the name of a command that takes a job.
struct JobArguments {
    std::filesystem::path job;  ///< empty: --help was asked for and printed
    Overrides overrides;        ///< --SECTION.KEY VALUE, and --data, --symbol, --out
    boost::program_options::variables_map options;  ///< the command's own
};

/// `own`: the command's options beside those of the job; `usage` heads its --help. Throws UserError
/// (Exit::usage) for an option that nobody knows, naming the nearest, and for no job or two.
JobArguments parse_job_arguments(const Arguments& arguments, const std::string& usage,
                                 const boost::program_options::options_description& own);

}  // namespace barsweep::cli
