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
    i32 row;                           ///< store row of the decision; the next state is row + 1
    i8 action;                         ///< index into the levels
    i8 terminated;                     ///< 1: ruin, no bootstrap. (Truncated steps bootstrap.)
    float reward;                      ///< raw, before reward_scale
    float seen[max_account_features];  ///< account features at `row`
    float next_seen[max_account_features];  ///< and at row + 1, before a new episode begins
};

/// Everything a lane lives in; one for all lanes of a trial.
struct World {
    View<const i64> ohlc;   ///< [rows, 4] ticks
    View<const i64> sigma;  ///< [rows] ppb
    View<const float> features;  ///< [rows, feature_count], normalised
    i32 feature_count = 0;
    AccountView view = AccountView::full;
    View<const i64> episode_start;  ///< [episodes] store row of the first decision of episode j
    i64 episode_bars = 0;           ///< decisions of an episode
};

/// Writes observation rows: world.features[row] then the account's features.
struct ObserveArgs {
    World world;
    Rules rules;
    View<const Lane> lanes;      ///< [lanes]
    View<float> observations;    ///< [lanes, feature_count + account features]
};

/// One lock-step of a trial's lanes: each lives one bar by its action, its transition is written to
/// replay slot (first_slot + lane) mod capacity, and a lane whose episode ended starts its next with
/// a fresh account. A lane that overflows keeps its status and stands still.
struct ExperienceArgs {
    World world;
    Rules rules;
    RewardRules reward;
    View<const i8> actions;        ///< [lanes] index into rules.levels_ppm
    View<Lane> lanes;              ///< [lanes]
    View<Transition> replay;       ///< [capacity] ring
    i64 first_slot = 0;
};

/// Epsilon-greedy: per row, with probability epsilon a level uniformly, else the first of the largest
/// values. Words of Philox keyed by (key; step, row, purpose), so an action depends on no other row.
struct ActArgs {
    View<const float> values;  ///< [rows, levels]
    i32 levels = 0;
    double epsilon = 0;  ///< 0..1
    u64 key = 0;         ///< of the trial (study seed, trial, replicate)
    u64 step = 0;        ///< the trial's total steps before this lock-step
    View<i8> actions;    ///< [rows]
};

/// Composes a minibatch from compact transitions.
struct ReplayGatherArgs {
    World world;
    View<const Transition> replay;  ///< [capacity]
    View<const i64> picks;          ///< [batch] indices into the ring
    float reward_scale = 1;
    View<float> states;             ///< [batch, feature_count + account features]
    View<float> next_states;        ///< the same shape
    View<float> rewards;            ///< [batch], scaled
    View<float> continues;          ///< [batch] 0 where terminated, else 1
    View<i64> actions;              ///< [batch]
};

}  // namespace barsweep::kernels
