#pragma once
#include <string>

#include "base/error.hpp"

namespace barsweep::cli {

/// To be called in a catch block: says what is being thrown as one line on stderr, and returns the
/// status to end with. What a person can put right is its own sentence; anything else is a bug, and
/// says so. `command`: for the --help that a wrong command line is pointed to.
Exit tell_failure(const std::string& command);

}  // namespace barsweep::cli
