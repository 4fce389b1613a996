#pragma once
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

#include "search/trial.hpp"

namespace barsweep::search {

/// A trial that is finished, as samplers learn from it.
struct Tried {
    Trial trial;
    TrialState state = TrialState::complete;  ///< complete, pruned or fail
    /// Lower is better. A complete trial's value; a pruned one's last rung, NaN: undefined there.
    double loss = 0;
    std::int64_t step = 0;  ///< of a pruned trial's last rung; 0: it has none
};

/// Whether it tells anything of its parameters: failed trials don't.
inline bool tells(const Tried& tried)
{
    return tried.state == TrialState::complete || tried.state == TrialState::pruned;
}

/// Ascending is best first: complete trials by loss, then pruned ones, those that came further
/// before others, then by loss; an undefined one is the last of its kind. Ties by number.
struct Rank {
    bool pruned = false;
    std::int64_t steps_short = 0;
    double loss = 0;
    std::int64_t number = 0;

    auto operator<=>(const Rank&) const = default;
};

inline Rank rank_of(const Tried& tried)
{
    const bool pruned = tried.state == TrialState::pruned;
    return {pruned, pruned ? -tried.step : 0,
            std::isnan(tried.loss) ? std::numeric_limits<double>::infinity() : tried.loss,
            tried.trial.number};
}

}  // namespace barsweep::search
