#include "kernels/counterfactual.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

/// Twenty lock-steps of two lanes, each with the account at its decision.
struct Lived {
    TestWorld market{120, 3, {0, 50}, 50};
    World world = market.world();
    Rules rules = test_rules();
    RewardRules reward{RewardKind::logarithmic, 0.5, 0.3, false};
    std::vector<Transition> ring{40};
    std::vector<Account> accounts{40};

    Lived()
    {
        ring.resize(40), accounts.resize(40);
        std::vector<Lane> lanes(2);
        for (i64 l = 0; l < 2; ++l) {
            begin_episode(world, rules, l, lanes[static_cast<std::size_t>(l)]);
        }
        RandomStream random{2, Purpose::explore};
        for (i64 t = 0; t < 20; ++t) {
            const std::vector<i8> actions{static_cast<i8>(random.below(5)),
                                          static_cast<i8>(random.below(5))};
            for (std::size_t l = 0; l < 2; ++l) {
                accounts[static_cast<std::size_t>(2 * t) + l] = lanes[l].account;
            }
            ExperienceArgs args;
            args.world = world;
            args.rules = rules;
            args.reward = reward;
            args.actions = view(actions);
            args.lanes = view(lanes);
            args.replay = view(ring);
            args.first_slot = 2 * t;
            for (i64 i = 0; i < 2; ++i) experience_one(args, i);
        }
    }

    struct Told {
        std::vector<float> rewards, discounts, next_states;
    };

    Told told(const std::vector<i64>& picks) const
    {
        const auto size = picks.size() * static_cast<std::size_t>(rules.level_count);
        Told t{std::vector<float>(size), std::vector<float>(size), std::vector<float>(size * 11)};
        const CounterfactualArgs args{
            world, rules, reward,          view(ring),        view(accounts),     view(picks),
            10,    0.9f,  view(t.rewards), view(t.discounts), view(t.next_states)};
        for (i64 i = 0; i < args.rewards.size; ++i) counterfactual_one(args, i);
        return t;
    }
};

TEST(Counterfactual, TheLevelTakenBringsWhatItBrought)
{
    const Lived lived;
    for (i64 slot = 0; slot < 40; ++slot) {
        const Transition& kept = lived.ring[static_cast<std::size_t>(slot)];
        const auto told = lived.told({slot});
        const auto level = static_cast<std::size_t>(kept.action);
        EXPECT_EQ(told.rewards[level], kept.reward * 10);
        EXPECT_EQ(told.discounts[level], 0.9f);
        for (std::size_t k = 0; k < 8; ++k) {
            EXPECT_EQ(told.next_states[level * 11 + 3 + k], kept.next_seen[k]);
        }
        EXPECT_EQ(told.next_states[level * 11],
                  lived.market.features[3 * static_cast<std::size_t>(kept.row + 1)]);
    }
}

TEST(Counterfactual, AnotherLevelBringsWhatAnAccountLivesByIt)
{
    const Lived lived;
    const i64 slot = 17;
    const auto told = lived.told({3, slot});
    for (std::size_t level = 0; level < 5; ++level) {
        Account account = lived.accounts[slot];
        const i64 row = lived.ring[slot].row;
        const Step step = advance(lived.rules, account, bar_at(lived.world.ohlc, row),
                                  bar_at(lived.world.ohlc, row + 1), lived.world.sigma[row],
                                  lived.rules.levels_ppm[level], NoSink{});
        RewardStats stats;
        EXPECT_EQ(told.rewards[5 + level], reward_of(lived.reward, step, account.peak, stats) * 10);
        float seen[max_account_features];
        see_account(lived.world, lived.rules, account, row + 1, seen);
        EXPECT_EQ(told.next_states[(5 + level) * 11 + 3], seen[0]);
    }
}

TEST(Counterfactual, ALevelThatLeavesInt64IsMarkedNotGuessed)
{
    Lived lived;
    lived.rules.unit_lots = INT64_MAX / 1'000;
    lived.accounts[0] = fresh_account(lived.rules);
    const auto told = lived.told({0});
    EXPECT_EQ(told.discounts[4], -1);
    EXPECT_EQ(told.discounts[2], 0.9f);  // flat
    EXPECT_EQ(told.rewards[4], 0);
}

TEST(Counterfactual, ARuinousLevelPromisesNothing)
{
    Lived lived;
    lived.rules.ruin_ppm = 1'000'000;
    lived.rules.rate_ppb = 10'000'000;
    lived.accounts[0] = fresh_account(lived.rules);
    const auto told = lived.told({0});
    EXPECT_EQ(told.discounts[0], 0);
}

}  // namespace
}  // namespace barsweep::kernels
