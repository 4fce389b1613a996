#include "search/replicates.hpp"

#include <cmath>

#include "search/numbers.hpp"

namespace barsweep::search {

Report together(const std::vector<Report>& replicates, ReplicateScore score, Direction direction)
{
    Report whole = replicates.at(0);
    if (replicates.size() == 1) return whole;
    const auto count = static_cast<double>(replicates.size());
    double sum = 0;
    whole.seconds = 0;
    whole.failure.clear();
    whole.reason.clear();
    for (const auto& one : replicates) {
        const std::string which = "replicate " + shortest(one.replicate) + ": ";
        if (whole.failure.empty() && !one.failure.empty()) whole.failure = which + one.failure;
        if (whole.reason.empty() && !std::isfinite(one.score)) whole.reason = which + one.reason;
        sum += one.score;
        whole.seconds += one.seconds;
    }
    whole.score = whole.reason.empty() ? sum / count : std::nan("");
    if (score == ReplicateScore::mean || !whole.reason.empty()) return whole;
    double squares = 0;
    for (const auto& one : replicates)
        squares += (one.score - whole.score) * (one.score - whole.score);
    const double error = std::sqrt(squares / (count - 1) / count);
    whole.score += direction == Direction::maximize ? -error : error;
    return whole;
}

}  // namespace barsweep::search
