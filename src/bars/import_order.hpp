#pragma once
#include <string>
#include <vector>

#include "bars/csv_import.hpp"
#include "bars/csv_rows.hpp"

namespace barsweep::bars {

/// Makes times strictly increasing: drops repeated times as `--duplicates` says, sorts if `--sort`
/// does. What it did stands in the findings; what it may not do is refused, all kinds of fault in
/// one sentence. Two rows of one time whose values differ are a conflict, and are picked from only
/// where a policy was named. `names`: of the files, by RawBar::source.
void put_in_order(std::vector<RawBar>& rows, const ImportOptions& options,
                  const std::vector<std::string>& names, Findings& findings);

/// "line 4", with its file where there are several.
std::string place_of(const RawBar& row, const std::vector<std::string>& names);

}  // namespace barsweep::bars
