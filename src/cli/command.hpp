#pragma once
#include <string>
#include <vector>

#include "base/error.hpp"

namespace barsweep::cli {

using Arguments = std::vector<std::string>;

/// A subcommand. `run` gets what stands after its name; it throws UserError, never prints one.
struct Command {
    const char* name;
    const char* summary;
    Exit (*run)(const Arguments& arguments);
};

Exit ingest(const Arguments& arguments);
Exit info(const Arguments& arguments);
Exit synth(const Arguments& arguments);
Exit check(const Arguments& arguments);
Exit sweep(const Arguments& arguments);
Exit backtest(const Arguments& arguments);
Exit replay(const Arguments& arguments);
Exit report(const Arguments& arguments);
Exit account(const Arguments& arguments);

}  // namespace barsweep::cli
