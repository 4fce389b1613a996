#include "agents/trial_key.hpp"

#include "base/random.hpp"

namespace barsweep::agents {

std::uint64_t stream_key(const TrialKey& key)
{
    return RandomStream(key.seed, Purpose::trial_key, static_cast<std::uint32_t>(key.trial),
                        static_cast<std::uint32_t>(key.replicate))
        .next_u64();
}

}  // namespace barsweep::agents
