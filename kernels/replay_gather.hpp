#pragma once
#include "experience.hpp"

namespace barsweep::kernels {

/// Composes a minibatch from compact transitions.
struct ReplayGatherArgs {
    World world;
    View<const Transition> replay;  ///< [capacity]
    View<const i64> picks;          ///< [batch] indices into the ring
    float reward_scale = 1;
    View<float> states;       ///< [batch, observation_size]
    View<float> next_states;  ///< the same shape
    View<float> rewards;      ///< [batch], scaled
    View<float> continues;    ///< [batch] 0 where terminated, else 1
    View<i64> actions;        ///< [batch]
};

/// The kernel: one transition.
BARSWEEP_HD constexpr void replay_gather_one(const ReplayGatherArgs& args, i64 i)
{
    const Transition& kept = args.replay[args.picks[i]];
    const i64 start = i * observation_size(args.world);
    compose(args.world, kept.row, kept.seen, args.states.data + start);
    compose(args.world, i64{kept.row} + 1, kept.next_seen, args.next_states.data + start);
    args.rewards[i] = kept.reward * args.reward_scale;
    args.continues[i] = kept.terminated != 0 ? 0.0f : 1.0f;
    args.actions[i] = kept.action;
}

}  // namespace barsweep::kernels
