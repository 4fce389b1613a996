#pragma once
#include <string>

#include "report/summary.hpp"

namespace barsweep::report {

/// All trials in number order, exact: trial, state, value, bars (of the last rung), seconds, one
/// column a parameter, `metric.NAME` of the last rung's report, cause. RFC 4180 quoting, "\n" line
/// ends, an empty cell where there is nothing.
std::string trials_csv(const Summary& summary);

}  // namespace barsweep::report
