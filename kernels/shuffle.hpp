#pragma once
#include "philox.hpp"

namespace barsweep::kernels {

/// A permutation of 0 .. size - 1, all of them equally likely (R. Durstenfeld, "Algorithm 235",
/// CACM 7(7), 1964). Its words of Philox are keyed by (key; rollout, epoch, purpose).
struct ShuffleArgs {
    u64 key = 0;      ///< of the trial
    u64 rollout = 0;  ///< its number, below 2^48
    u32 epoch = 0;    ///< below 2^16
    View<i32> order;
};

/// Purpose::minibatches of base/random.hpp.
inline constexpr u32 shuffle_purpose = 9;

/// The kernel: one permutation. The odds of each exchange are off by less than 2^-32 of it.
BARSWEEP_HD constexpr void shuffle_one(const ShuffleArgs& args)
{
    for (i64 i = 0; i < args.order.size; ++i) args.order[i] = static_cast<i32>(i);
    PhiloxCounter words = {};
    for (i64 i = args.order.size - 1; i > 0; --i) {
        if (i % 2 == 1 || i == args.order.size - 1) {
            words = philox4x32(
                {static_cast<u32>(i / 2), shuffle_purpose, static_cast<u32>(args.rollout),
                 static_cast<u32>(args.rollout >> 32) << 16 | args.epoch},
                {static_cast<u32>(args.key), static_cast<u32>(args.key >> 32)});
        }
        const u64 chance = i % 2 == 1 ? u64{words.y} << 32 | words.x : u64{words.w} << 32 | words.z;
        const i64 other = static_cast<i64>(i128{chance} * (i + 1) >> 64);
        const i32 kept = args.order[i];
        args.order[i] = args.order[other];
        args.order[other] = kept;
    }
}

}  // namespace barsweep::kernels
