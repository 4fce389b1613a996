#pragma once
#include "head.hpp"
#include "philox.hpp"
#include "rules.hpp"

namespace barsweep::kernels {

/// Draws per row a level by the softmax of its logits. Words of Philox keyed by (key; step, row,
/// purpose), so an action depends on no other row.
struct ActCategoricalArgs {
    Rows<const float> logits;  ///< [rows, levels]
    i32 levels = 0;
    u64 key = 0;             ///< of the trial
    u64 step = 0;            ///< the trial's total steps before this lock-step
    View<i8> actions;        ///< [rows]
    View<float> log_chance;  ///< [rows] log of the probability of the action drawn
};

/// Purpose::act_by_chance of base/random.hpp: block `row` of the stream (key, act_by_chance, low
/// and high half of step).
inline constexpr u32 act_by_chance_purpose = 8;

/// The kernel: one row. Each level weighs its probability in whole units of 2^-55, and 64 bits of
/// chance fall on one of their sum's units, so what is drawn is off by less than 2^-54 from the
/// floats. A row with NaN, of a network that diverged, gives the last level.
BARSWEEP_HD constexpr void act_categorical_one(const ActCategoricalArgs& args, i64 i)
{
    const float* logits = args.logits[i];
    float p[max_levels] = {};
    const float log_sum = probabilities_of(logits, args.levels, p);
    u64 weights[max_levels] = {};
    u64 sum = 0;
    for (i32 a = 0; a < args.levels; ++a) {
        weights[a] = p[a] >= 0 ? static_cast<u64>(p[a] * 0x1p55f) : 0;
        sum += weights[a];
    }
    const PhiloxCounter words =
        philox4x32({static_cast<u32>(i), act_by_chance_purpose, static_cast<u32>(args.step),
                    static_cast<u32>(args.step >> 32)},
                   {static_cast<u32>(args.key), static_cast<u32>(args.key >> 32)});
    const u64 chance = u64{words.y} << 32 | words.x;
    u64 unit = static_cast<u64>(i128{chance} * sum >> 64);
    i32 action = 0;
    while (action + 1 < args.levels && unit >= weights[action]) unit -= weights[action++];
    args.actions[i] = static_cast<i8>(action);
    args.log_chance[i] = logits[action] - log_sum;
}

}  // namespace barsweep::kernels
