#pragma once
#include "experience.hpp"

namespace barsweep::kernels {

/// What a step would have brought for every level, not only for the one taken: the market doesn't
/// answer the account, so the account's own step tells it.
struct CounterfactualArgs {
    World world;  ///< but for its episodes, which aren't read
    Rules rules;
    RewardRules reward;            ///< not normalised: that depends on the way taken
    View<const Transition> ring;   ///< [capacity]
    View<const Account> accounts;  ///< [capacity] as they stood at the decisions
    View<const i64> picks;         ///< [batch] slots of both
    float reward_scale = 1;
    float gamma = 1;
    View<float> rewards;    ///< [batch, levels], scaled
    View<float> discounts;  ///< [batch, levels] gamma; 0 where ruined; -1: can't be told in 64 bits
    View<float> next_states;  ///< [batch * levels, observation_size]
};

/// The kernel: level i mod levels of pick i / levels.
BARSWEEP_HD constexpr void counterfactual_one(const CounterfactualArgs& args, i64 i)
{
    const World& world = args.world;
    const i64 slot = args.picks[i / args.rules.level_count];
    const i64 level = i % args.rules.level_count;
    const i64 row = args.ring[slot].row;

    Account account = args.accounts[slot];
    const Step step =
        advance(args.rules, account, bar_at(world.ohlc, row), bar_at(world.ohlc, row + 1),
                world.sigma[row], args.rules.levels_ppm[level], NoSink{});
    const bool known = step.status == Status::good;
    const double raw = known ? raw_reward(args.reward, step, account.peak) : 0.0;
    args.rewards[i] = static_cast<float>(raw) * args.reward_scale;
    args.discounts[i] = !known ? -1.0f : step.terminated ? 0.0f : args.gamma;
    float seen[max_account_features] = {};
    see_account(world, args.rules, account, row + 1, seen);
    compose(world, row + 1, seen, args.next_states.data + i * observation_size(world));
}

}  // namespace barsweep::kernels
