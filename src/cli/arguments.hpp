#pragma once
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace barsweep::cli {

/// Parses as every command does: long names whole, never guessed from their beginning. What stands
/// alone becomes `positional`. Throws UserError for an unknown option, naming the nearest of
/// `options`; values bound to variables are set, and required ones asked for, unless --help is
/// there.
boost::program_options::variables_map parse_arguments(
    const Arguments& arguments, const boost::program_options::options_description& options,
    const char* positional);

/// What stands alone on the command line.
std::vector<std::string> words_of(const boost::program_options::variables_map& given,
                                  const char* positional);

/// The same where it must be one word: else UserError (Exit::usage).
std::string only_word(const boost::program_options::variables_map& given, const char* positional,
                      const std::string& expected, const std::string& fix);

}  // namespace barsweep::cli
