#pragma once
#include "head.hpp"
#include "philox.hpp"

namespace barsweep::kernels {

/// Epsilon-greedy: per row, with probability epsilon a level uniformly, else the greedy one. Words
/// of Philox keyed by (key; step, row, purpose), so an action depends on no other row.
struct ActArgs {
    Rows<const float> outputs;  ///< [rows, outputs of the head]
    Head head;
    double epsilon = 0;  ///< 0..1
    u64 key = 0;         ///< of the trial (study seed, trial, replicate)
    u64 step = 0;        ///< the trial's total steps before this lock-step
    View<i8> actions;    ///< [rows]
};

/// Purpose::explore of base/random.hpp: block `row` of the stream (key, explore, low and high half
/// of step).
inline constexpr u32 explore_purpose = 3;

/// The kernel: one row. Both draws are taken from 64 bits: the comparison with epsilon is exact in
/// 53 of them, and a level's probability is off by less than 2^-60.
BARSWEEP_HD constexpr void act_one(const ActArgs& args, i64 i)
{
    const PhiloxCounter words =
        philox4x32({static_cast<u32>(i), explore_purpose, static_cast<u32>(args.step),
                    static_cast<u32>(args.step >> 32)},
                   {static_cast<u32>(args.key), static_cast<u32>(args.key >> 32)});
    const u64 chance = (u64{words.y} << 32 | words.x) >> 11;
    const u64 pick = u64{words.w} << 32 | words.z;
    i32 action = 0;
    if (static_cast<double>(chance) * 0x1p-53 < args.epsilon) {
        action = static_cast<i32>(i128{pick} * args.head.levels >> 64);
    } else {
        action = greedy_level(args.head, args.outputs[i]);
    }
    args.actions[i] = static_cast<i8>(action);
}

}  // namespace barsweep::kernels
