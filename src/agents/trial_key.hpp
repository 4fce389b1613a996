#pragma once
#include <cstdint>

namespace barsweep::agents {

/// What a trial's random numbers are keyed by; never rank, slot, thread or time.
struct TrialKey {
    std::uint64_t seed = 0;  ///< of the study
    std::int64_t trial = 0;
    std::int64_t replicate = 0;
};

/// Keys the streams that are a trial's own: exploration, weights, replay.
std::uint64_t stream_key(const TrialKey& key);

}  // namespace barsweep::agents
