#include "report/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace barsweep::report {
namespace {

using search::TrialRecord;
using search::TrialState;

int group(TrialState state)
{
    switch (state) {
        case TrialState::complete:
            return 0;
        case TrialState::pruned:
            return 1;
        case TrialState::fail:
            return 2;
        case TrialState::running:
            return 3;
    }
    return 4;
}

}  // namespace

std::vector<const TrialRecord*> ranked(const Summary& summary)
{
    std::vector<const TrialRecord*> order;
    for (const auto& record : summary.trials) order.push_back(&record);

    const double sign = summary.direction == search::Direction::maximize ? -1 : 1;
    const auto key = [sign](const TrialRecord& record) {
        const double score = sign * shown_score(record);
        const auto reached = record.rungs.empty() ? 0 : record.rungs.back().step;
        // NaN never counts as good, and must not break the order.
        return std::tuple{group(record.state), record.state == TrialState::complete ? 0 : -reached,
                          std::isnan(score) ? std::numeric_limits<double>::infinity() : score,
                          record.trial.number};
    };
    std::sort(order.begin(), order.end(),
              [&](const auto* a, const auto* b) { return key(*a) < key(*b); });
    return order;
}

double shown_score(const TrialRecord& record)
{
    if (record.state == TrialState::complete) return record.value;
    return record.rungs.empty() ? std::nan("") : record.rungs.back().score;
}

const char* name(TrialState state)
{
    switch (state) {
        case TrialState::complete:
            return "complete";
        case TrialState::pruned:
            return "pruned";
        case TrialState::fail:
            return "fail";
        case TrialState::running:
            return "running";
    }
    return "unknown";
}

std::vector<std::string> parameter_names(const Summary& summary)
{
    std::set<std::string> names;
    for (const auto& record : summary.trials)
        for (const auto& [parameter, value] : record.trial.params) names.insert(parameter);
    return {names.begin(), names.end()};
}

}  // namespace barsweep::report
