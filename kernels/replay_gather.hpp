#pragma once
#include "experience.hpp"
#include "math_float.hpp"

namespace barsweep::kernels {

/// Composes a minibatch from compact transitions. Transition number g of a trial lies in slot g mod
/// capacity, and its lane's next one is number g + lanes. Rewards are of up to n_step steps
/// (R. Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3,
/// 1988; M. Hessel et al., "Rainbow", AAAI 2018, equation 1): fewer where the lane began anew or
/// where nothing newer is there.
struct ReplayGatherArgs {
    View<const float> features;  ///< [rows, feature_count]
    i32 feature_count = 0;
    i32 seen_count = 0;
    View<const Transition> ring;  ///< [capacity]
    i64 total = 0;                ///< transitions so far
    i64 lanes = 1;
    i64 n_step = 1;
    float gamma = 1;
    float reward_scale = 1;
    View<const i64> picks;  ///< [batch] slots of the ring
    View<float> states;     ///< [batch, feature_count + seen_count]
    View<i32> actions;      ///< [batch]

    // What follows may be empty: a learner of all actions has it from elsewhere.
    View<float> next_states;  ///< the shape of states
    View<float> rewards;      ///< [batch] scaled
    View<float> discounts;    ///< [batch] gamma^steps; 0 where terminated
};

/// What a transition's steps come to.
struct Steps {
    i64 last;  ///< slot of the last one
    float reward;
    float discount;
};

BARSWEEP_HD constexpr Steps steps_from(const ReplayGatherArgs& args, i64 slot)
{
    const i64 capacity = args.ring.size;
    const i64 newest = args.total - 1;
    i64 older = newest % capacity - slot;  // than the newest
    older += older < 0 ? capacity : 0;
    i64 number = newest - older;
    Steps steps{slot, 0, args.gamma};
    float share = 1;
    for (i64 n = 1;; ++n) {
        const Transition& kept = args.ring[steps.last];
        steps.reward = fused(share, kept.reward, steps.reward);
        if (kept.terminated != 0) steps.discount = 0;
        number += args.lanes;
        if (n >= args.n_step || kept.ended != 0 || number > newest) return steps;
        share *= args.gamma;
        steps.discount *= args.gamma;
        steps.last = number % capacity;
    }
}

BARSWEEP_HD constexpr void compose_row(const ReplayGatherArgs& args, i64 row, const float* seen,
                                       float* out)
{
    const float* features = args.features.data + row * args.feature_count;
    for (i32 k = 0; k < args.feature_count; ++k) out[k] = features[k];
    for (i32 k = 0; k < args.seen_count; ++k) out[args.feature_count + k] = seen[k];
}

/// The kernel: one transition.
BARSWEEP_HD constexpr void replay_gather_one(const ReplayGatherArgs& args, i64 i)
{
    const Transition& kept = args.ring[args.picks[i]];
    const i64 start = i * (args.feature_count + args.seen_count);
    compose_row(args, kept.row, kept.seen, args.states.data + start);
    args.actions[i] = kept.action;
    if (args.next_states.size == 0) return;
    const Steps steps = steps_from(args, args.picks[i]);
    const Transition& last = args.ring[steps.last];
    compose_row(args, i64{last.row} + 1, last.next_seen, args.next_states.data + start);
    args.rewards[i] = steps.reward * args.reward_scale;
    args.discounts[i] = steps.discount;
}

}  // namespace barsweep::kernels
