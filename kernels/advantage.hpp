#pragma once
#include "experience.hpp"
#include "math_float.hpp"

namespace barsweep::kernels {

/// Generalised advantages (J. Schulman et al., arXiv 1506.02438, equations 11 to 16) of a rollout
/// of `lanes` lanes side by side; the step of lane l at lock-step t lies in slot t * lanes + l.
struct AdvantageArgs {
    View<const Transition> rollout;  ///< [steps * lanes]
    i64 lanes = 1;
    float gamma = 1;
    float lambda = 1;
    float reward_scale = 1;
    View<const float> values;  ///< [steps * lanes] of the state a step began in
    View<float> advantages;    ///< [steps * lanes]; in: see `needs_next_value`, out: the advantages
    View<float> returns;       ///< [steps * lanes] advantage + value: what the critic learns
};

/// True where the value after a step isn't that of the lane's next step: its lane began anew by
/// truncation, or nothing newer is there. `advantages` then holds the value of the step's own last
/// observation. A step that ended by ruin needs none.
BARSWEEP_HD constexpr bool needs_next_value(const Transition& step, bool newest)
{
    return step.terminated == 0 && (step.ended != 0 || newest);
}

/// The kernel: one lane, backwards in time.
BARSWEEP_HD constexpr void advantage_one(const AdvantageArgs& args, i64 lane)
{
    const i64 newest = args.rollout.size - args.lanes;
    float advantage = 0;  // of the lane's next step
    float next_value = 0;
    for (i64 slot = newest + lane; slot >= 0; slot -= args.lanes) {
        const Transition& step = args.rollout[slot];
        if (step.ended != 0) advantage = 0;
        if (step.terminated != 0) next_value = 0;
        if (needs_next_value(step, slot >= newest)) next_value = args.advantages[slot];
        const float value = args.values[slot];
        const float missed =
            fused(args.gamma, next_value, fused(step.reward, args.reward_scale, -value));
        advantage = fused(args.gamma * args.lambda, advantage, missed);
        args.advantages[slot] = advantage;
        args.returns[slot] = advantage + value;
        next_value = value;
    }
}

}  // namespace barsweep::kernels
