#pragma once
#include "experience.hpp"

namespace barsweep::kernels {

/// Composes states of a rollout, which keeps the lanes' own numbers alone.
struct RolloutGatherArgs {
    View<const float> features;  ///< [rows, feature_count]
    i32 feature_count = 0;
    i32 seen_count = 0;
    View<const Transition> rollout;
    View<const i32> picks;  ///< [batch] slots of the rollout
    bool next = false;      ///< the state that a step led to, not the one it began in
    View<float> states;     ///< [batch, feature_count + seen_count]
};

/// The kernel: one state.
BARSWEEP_HD constexpr void rollout_gather_one(const RolloutGatherArgs& args, i64 i)
{
    const Transition& step = args.rollout[args.picks[i]];
    const float* seen = args.next ? step.next_seen : step.seen;
    const float* features =
        args.features.data + (i64{step.row} + (args.next ? 1 : 0)) * args.feature_count;
    float* out = args.states.data + i * (args.feature_count + args.seen_count);
    for (i32 k = 0; k < args.feature_count; ++k) out[k] = features[k];
    for (i32 k = 0; k < args.seen_count; ++k) out[args.feature_count + k] = seen[k];
}

}  // namespace barsweep::kernels
