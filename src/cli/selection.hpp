#pragma once
#include "cli/agent.hpp"
#include "cluster/serve.hpp"
#include "report/summary.hpp"
#include "search/ledger.hpp"
#include "search/study.hpp"

namespace barsweep::cli {

/// Ends a sweep: the best complete trial, its validation and locked test windows beside
/// buy-and-hold and flat, and one honest sentence. The test window is opened once for a trial:
/// when, and what it said, are notes in the ledger, and every later start reads them there. A study
/// that goes on and finds another winner looks again, and the verdict says so; so it does where
/// study.timeout ended it.
report::Summary select_winner(const StudyData& data, const Agent& agent, search::Study& study,
                              search::Ledger& ledger, cluster::Ending ending);

}  // namespace barsweep::cli
