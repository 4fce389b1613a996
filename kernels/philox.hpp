#pragma once
#include "portable.hpp"

namespace barsweep::kernels {

struct PhiloxKey {
    u32 x, y;
};

struct PhiloxCounter {
    u32 x, y, z, w;
};

/// Philox4x32 with 10 rounds: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as
/// easy as 1, 2, 3", SC'11, section 3.3. Counter-based: the words depend on nothing but the
/// arguments, so the same numbers come out on any device, in any order.
BARSWEEP_HD constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key,
                                               int rounds = 10)
{
    for (int round = 0; round < rounds; ++round) {
        const u64 first = u64{0xD2511F53u} * counter.x;
        const u64 second = u64{0xCD9E8D57u} * counter.z;
        counter = {static_cast<u32>(second >> 32) ^ counter.y ^ key.x, static_cast<u32>(second),
                   static_cast<u32>(first >> 32) ^ counter.w ^ key.y, static_cast<u32>(first)};
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

}  // namespace barsweep::kernels
