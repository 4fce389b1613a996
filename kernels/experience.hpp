#pragma once
#include "observe.hpp"
#include "reward.hpp"

namespace barsweep::kernels {

/// One of a trial's lanes: an account that lives one episode after another (SEMANTICS 8).
struct Lane {
    Account account;
    RewardStats stats;  ///< over all episodes of the lane
    i64 episode = 0;    ///< its number j; the lane's next is j + lanes
    i64 row = 0;        ///< store row of the next decision
    i64 last = 0;       ///< store row of the episode's last decision
    Status status = Status::good;
};

/// One step as replay keeps it: the bar part of both observations is looked up by row when a
/// minibatch is gathered, so a step costs tens of bytes instead of two copied states.
struct Transition {
    i32 row = 0;        ///< store row of the decision; the next state is row + 1
    i8 action = 0;      ///< index into the levels
    i8 terminated = 0;  ///< 1: ruin, no bootstrap. (Truncated steps bootstrap.)
    i8 ended = 0;       ///< 1: the lane began anew after it, by ruin or by truncation
    float reward = 0;   ///< raw, before reward_scale
    float seen[max_account_features] = {};       ///< account features at `row`
    float next_seen[max_account_features] = {};  ///< at row + 1, before a new episode begins
};

/// Everything a lane lives in; one for all lanes of a trial.
struct World {
    View<const i64> ohlc;        ///< [rows, 4] ticks
    View<const i64> sigma;       ///< [rows] ppb
    View<const float> features;  ///< [rows, feature_count], normalised
    i32 feature_count = 0;
    AccountView view = AccountView::full;
    View<const i64> episode_start;  ///< [episodes] store row of the first decision of episode j
    i64 episode_bars = 0;           ///< decisions of an episode
};

/// Floats of a whole observation.
BARSWEEP_HD constexpr i32 observation_size(const World& world)
{
    return world.feature_count + account_feature_count(world.view);
}

/// A whole observation: the features of `row`, then those of the account.
BARSWEEP_HD constexpr void compose(const World& world, i64 row, const float* account, float* out)
{
    const float* features = world.features.data + row * world.feature_count;
    for (i32 k = 0; k < world.feature_count; ++k) out[k] = features[k];
    const int count = account_feature_count(world.view);
    for (int k = 0; k < count; ++k) out[world.feature_count + k] = account[k];
}

/// The account as seen at the close of `row`; the rest of `out` is left alone.
BARSWEEP_HD constexpr void see_account(const World& world, const Rules& rules,
                                       const Account& account, i64 row, float* out)
{
    account_features(rules, account, world.ohlc[4 * row + 3], world.sigma[row], world.view, out);
}

/// Puts the lane at the start of episode `j` with a fresh account. Where the table doesn't reach so
/// far, or the episode's last decision has no bar after it, the lane gets Status::no_episode and
/// stays where it is.
BARSWEEP_HD constexpr void begin_episode(const World& world, const Rules& rules, i64 j, Lane& lane)
{
    const bool known = j >= 0 && j < world.episode_start.size;
    const i64 start = known ? world.episode_start[j] : -1;
    if (start < 0 || world.episode_bars < 1 || start + world.episode_bars >= world.sigma.size) {
        lane.status = Status::no_episode;
        return;
    }
    lane.account = fresh_account(rules);
    lane.episode = j;
    lane.row = start;
    lane.last = start + world.episode_bars - 1;
}

/// Writes observation rows of a trial's lanes.
struct ObserveArgs {
    World world;
    Rules rules;
    View<const Lane> lanes;    ///< [lanes]
    View<float> observations;  ///< [lanes, observation_size]
};

/// The kernel: one lane.
BARSWEEP_HD constexpr void observe_one(const ObserveArgs& args, i64 i)
{
    const Lane& lane = args.lanes[i];
    float seen[max_account_features] = {};
    see_account(args.world, args.rules, lane.account, lane.row, seen);
    compose(args.world, lane.row, seen, args.observations.data + i * observation_size(args.world));
}

/// One lock-step of a trial's lanes: each lives one bar by its action, its transition is written to
/// replay slot (first_slot + lane) mod capacity, and a lane whose episode ended starts its next
/// with a fresh account. A lane with a status other than good stands still and writes nothing.
struct ExperienceArgs {
    World world;
    Rules rules;
    RewardRules reward;
    View<const i8> actions;   ///< [lanes] index into rules.levels_ppm
    View<Lane> lanes;         ///< [lanes]
    View<Transition> replay;  ///< [capacity] ring, capacity >= lanes
    i64 first_slot = 0;
};

/// The kernel: one lane.
BARSWEEP_HD constexpr void experience_one(const ExperienceArgs& args, i64 i)
{
    Lane& lane = args.lanes[i];
    if (lane.status != Status::good) return;
    const World& world = args.world;
    const i64 row = lane.row;

    Transition kept;
    kept.row = static_cast<i32>(row);
    kept.action = args.actions[i];
    see_account(world, args.rules, lane.account, row, kept.seen);
    const Step step =
        advance(args.rules, lane.account, bar_at(world.ohlc, row), bar_at(world.ohlc, row + 1),
                world.sigma[row], args.rules.levels_ppm[kept.action], NoSink{});
    lane.status = step.status;
    if (step.status != Status::good) return;

    kept.terminated = step.terminated;
    kept.reward = reward_of(args.reward, step, lane.account.peak, lane.stats);
    see_account(world, args.rules, lane.account, row + 1, kept.next_seen);
    kept.ended = step.terminated || row == lane.last;
    args.replay[(args.first_slot + i) % args.replay.size] = kept;

    if (kept.ended != 0) {
        begin_episode(world, args.rules, lane.episode + args.lanes.size, lane);
    } else {
        lane.row = row + 1;
    }
}

/// A lock-step of many trials at once.
struct FusedExperienceArgs {
    View<const ExperienceArgs> trials;
    i64 lanes = 0;  ///< the most that one of them has
};

/// The kernel: lane i mod lanes of trial i / lanes.
BARSWEEP_HD constexpr void fused_experience_one(const FusedExperienceArgs& args, i64 i)
{
    const ExperienceArgs& trial = args.trials[i / args.lanes];
    const i64 lane = i % args.lanes;
    if (lane < trial.lanes.size) experience_one(trial, lane);
}

}  // namespace barsweep::kernels
