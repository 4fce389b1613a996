#pragma once
#include "experience.hpp"
#include "head.hpp"

namespace barsweep::kernels {

/// The loss of a minibatch (J. Schulman et al., arXiv 1707.06347, equations 7 and 9) and its
/// gradient by actor's and critic's outputs. All that the rollout knows lies in its slots' order.
struct PpoLossArgs {
    View<const i32> picks;           ///< [batch] slots of the rollout
    View<const Transition> rollout;  ///< what was done
    View<const float> log_chance;    ///< how probable it was then, log
    View<const float> old_values;
    View<const float> advantages;
    View<const float> returns;
    View<const float> scaling;  ///< [2] taken off an advantage, then multiplied; empty: as it is
    i32 levels = 0;
    Rows<const float> logits;  ///< [batch, levels] as they are now
    Rows<const float> values;  ///< [batch, 1]
    float clip = 0;
    float clip_value = 0;  ///< 0: none
    float entropy_weight = 0;
    float value_weight = 0;
    Rows<float> actor_delta;   ///< [batch, padded(levels)]; what is beyond the levels is left alone
    Rows<float> critic_delta;  ///< [batch, padded(1)]; likewise
    View<float> losses;        ///< [batch] shares of the loss, the mean of all rows
    View<float> divergence;    ///< [batch] shares of KL(then, now): r - 1 - log r
};

/// min(r A, clip(r) A) by log r, beside it its value.
struct Surrogate {
    float gain;
    float slope;
};

BARSWEEP_HD constexpr Surrogate surrogate_of(float ratio, float advantage, float clip)
{
    const float low = 1 - clip, high = 1 + clip;
    const float held = ratio < low ? low : ratio > high ? high : ratio;
    const float free = ratio * advantage, bound = held * advantage;
    return {bound < free ? bound : free, bound < free ? 0 : free};
}

/// The critic's squared error and its slope. Where values are clipped it is the larger of the free
/// one and of that of a value that moved by `clip` at most (L. Engstrom et al., "Implementation
/// matters in deep policy gradients", ICLR 2020, section 3).
struct ValueError {
    float square;
    float slope;
};

BARSWEEP_HD constexpr ValueError value_error(float value, float old, float target, float clip)
{
    const float error = value - target;
    const ValueError free = {error * error, 2 * error};
    if (!(clip > 0)) return free;
    const float moved = value - old;
    if (moved >= -clip && moved <= clip) return free;
    const float held = old + (moved < 0 ? -clip : clip) - target;
    if (held * held > free.square) return {held * held, 0};
    return free;
}

/// The kernel: one row.
BARSWEEP_HD constexpr void ppo_loss_one(const PpoLossArgs& args, i64 i)
{
    const i64 slot = args.picks[i];
    const float* logits = args.logits[i];
    const float share = 1 / static_cast<float>(args.picks.size);
    float p[max_levels] = {};
    const float log_sum = probabilities_of(logits, args.levels, p);

    float advantage = args.advantages[slot];
    if (args.scaling.size != 0) advantage = (advantage - args.scaling[0]) * args.scaling[1];
    const i32 action = args.rollout[slot].action;
    const float log_ratio = logits[action] - log_sum - args.log_chance[slot];
    const float ratio = exp_of(log_ratio);
    const Surrogate surrogate = surrogate_of(ratio, advantage, args.clip);

    float entropy = 0;
    for (i32 a = 0; a < args.levels; ++a) entropy -= p[a] * (logits[a] - log_sum);
    float* actor = args.actor_delta[i];
    for (i32 a = 0; a < args.levels; ++a) {
        const float by_chance = surrogate.slope * ((a == action ? 1.0f : 0.0f) - p[a]);
        const float by_entropy = -p[a] * (logits[a] - log_sum + entropy);
        actor[a] = -share * (by_chance + args.entropy_weight * by_entropy);
    }

    const ValueError error =
        value_error(args.values[i][0], args.old_values[slot], args.returns[slot], args.clip_value);
    args.critic_delta[i][0] = share * args.value_weight * error.slope;
    args.losses[i] =
        share * (args.value_weight * error.square - surrogate.gain - args.entropy_weight * entropy);
    args.divergence[i] = share * (ratio - 1 - log_ratio);
}

}  // namespace barsweep::kernels
