#pragma once
#include "experience.hpp"

namespace barsweep::kernels {

/// How far one account has come by given actions.
struct GivenRun {
    Account account;
    RewardStats stats;
    i64 lived = 0;            ///< decisions written; fewer than there were: ruin or overflow
    bool terminated = false;  ///< ruin, in the last one written
    Status status = Status::good;
};

/// Actions that are known beforehand, over one window: whole states, for replays and labelled data.
/// Decisions are first..last-1; those after a ruin or an overflow, also an earlier window's, are
/// not written.
struct FusedExperienceGivenArgs {
    World world;  ///< but for its episodes, which aren't read
    i64 first = 0;
    i64 last = 0;
    View<const Rules> rules;         ///< [trials]
    View<const RewardRules> reward;  ///< [trials]
    View<const i8> actions;          ///< [trials, decisions] index into the trial's levels
    View<GivenRun> runs;             ///< [trials] fresh, or gone on with from an earlier window
    View<float> states;              ///< [trials, decisions, observation_size]
    View<float> next_states;         ///< the same shape
    View<float> rewards;             ///< [trials, decisions]
    View<Label> labels;              ///< [trials, decisions]
};

/// The kernel: one trial, bar after bar.
BARSWEEP_HD constexpr void fused_experience_given_one(const FusedExperienceGivenArgs& args, i64 i)
{
    const World& world = args.world;
    const Rules& rules = args.rules[i];
    GivenRun& run = args.runs[i];
    const i64 size = observation_size(world);
    run.lived = 0;
    if (run.status != Status::good) return;
    for (i64 t = args.first; t < args.last && !run.terminated; ++t) {
        const i64 at = i * (args.last - args.first) + run.lived;
        float seen[max_account_features] = {};
        see_account(world, rules, run.account, t, seen);
        const Step step =
            advance(rules, run.account, bar_at(world.ohlc, t), bar_at(world.ohlc, t + 1),
                    world.sigma[t], rules.levels_ppm[args.actions[at]], NoSink{});
        run.status = step.status;
        if (step.status != Status::good) return;

        compose(world, t, seen, args.states.data + at * size);
        see_account(world, rules, run.account, t + 1, seen);
        compose(world, t + 1, seen, args.next_states.data + at * size);
        args.rewards[at] = reward_of(args.reward[i], step, run.account.peak, run.stats);
        args.labels[at] = step.label;
        run.terminated = step.terminated;
        ++run.lived;
    }
}

}  // namespace barsweep::kernels
