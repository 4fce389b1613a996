#pragma once
#include <string_view>

namespace barsweep {

/// The rank that log lines carry; set once, after MPI has started. -1 (a program without MPI):
/// no rank is printed.
void set_log_rank(int rank);

/// One line on stderr, `barsweep[rank]: TEXT`, whole even where threads and ranks print at once
/// (one write(2) a line).
void log_line(std::string_view text);

}  // namespace barsweep
