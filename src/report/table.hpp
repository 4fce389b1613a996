#pragma once
#include <string>
#include <vector>

#include "report/summary.hpp"

namespace barsweep::report {

/// Rows under a header, columns aligned by spaces: numbers to the right, words to the left. The
/// last column is not padded. Every row has as many cells as the header.
std::string align(const std::vector<std::vector<std::string>>& rows);

/// The first `top` trials as ranked, one a line, and a line that counts the rest.
std::string trials_table(const Summary& summary, std::size_t top = 10);

/// The winner and its metrics on validation and test beside buy-and-hold and flat, then the
/// verdict.
std::string winner_table(const Summary& summary);

}  // namespace barsweep::report
