#include "kernels/replay_gather.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

/// A minibatch of all picks.
struct Gathered {
    std::vector<float> states, next_states, rewards, discounts;
    std::vector<i32> actions;

    Gathered(ReplayGatherArgs args, const std::vector<i64>& picks)
        : states(picks.size() * static_cast<std::size_t>(args.feature_count + args.seen_count)),
          next_states(states.size()),
          rewards(picks.size()),
          discounts(picks.size()),
          actions(picks.size())
    {
        args.picks = view(picks);
        args.states = view(states);
        args.next_states = view(next_states);
        args.rewards = view(rewards);
        args.discounts = view(discounts);
        args.actions = view(actions);
        for (i64 i = 0; i < args.picks.size; ++i) replay_gather_one(args, i);
    }
};

std::vector<float> observed(const World& world, const Rules& rules, const std::vector<Lane>& lanes)
{
    std::vector<float> rows(lanes.size() * static_cast<std::size_t>(observation_size(world)));
    const ObserveArgs args{world, rules, view(lanes), view(rows)};
    for (i64 i = 0; i < args.lanes.size; ++i) observe_one(args, i);
    return rows;
}

class EveryView : public testing::TestWithParam<AccountView> {};

TEST_P(EveryView, AMinibatchIsExactlyWhatWasObserved)
{
    const TestWorld market{120, 3, {0, 50}, 50};
    const World world = market.world(GetParam());
    const Rules rules = test_rules();
    std::vector<Lane> lanes(2);
    for (i64 l = 0; l < 2; ++l) begin_episode(world, rules, l, lanes[static_cast<std::size_t>(l)]);

    std::vector<Transition> replay(60);
    std::vector<float> states, next_states;
    RandomStream random{2, Purpose::explore};
    for (i64 t = 0; t < 30; ++t) {
        const std::vector<i8> actions{static_cast<i8>(random.below(5)), 4};
        const auto before = observed(world, rules, lanes);
        const ExperienceArgs args{world,       rules,        RewardRules{}, view(actions),
                                  view(lanes), view(replay), 2 * t};
        for (i64 i = 0; i < 2; ++i) experience_one(args, i);
        const auto after = observed(world, rules, lanes);
        states.insert(states.end(), before.begin(), before.end());
        next_states.insert(next_states.end(), after.begin(), after.end());
    }

    std::vector<i64> picks;
    for (i64 i = 0; i < 60; ++i) picks.push_back(i);
    ReplayGatherArgs args;
    args.features = world.features;
    args.feature_count = world.feature_count;
    args.seen_count = account_feature_count(world.view);
    args.ring = view(std::as_const(replay));
    args.total = 60;
    args.lanes = 2;
    args.gamma = 0.5f;
    args.reward_scale = 100;
    const Gathered got{args, picks};
    EXPECT_EQ(bits(got.states), bits(states));
    EXPECT_EQ(bits(got.next_states), bits(next_states));
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_EQ(got.rewards[i], replay[i].reward * 100.0f);
        EXPECT_EQ(got.discounts[i], 0.5f);
        EXPECT_EQ(got.actions[i], replay[i].action);
    }
}

INSTANTIATE_TEST_SUITE_P(Gather, EveryView,
                         testing::Values(AccountView::full, AccountView::three, AccountView::seed));

/// Transition number g: reward 2^g of the lane's step, seen g, next seen g + 0.5.
struct Ring {
    std::vector<Transition> slots;
    i64 total = 0;
    i64 lanes;

    Ring(i64 capacity, i64 count) : slots(static_cast<std::size_t>(capacity)), lanes{count} {}

    Transition& add(float reward)
    {
        Transition& kept = slots[static_cast<std::size_t>(total) % slots.size()];
        kept = {};
        kept.reward = reward;
        kept.seen[0] = static_cast<float>(total);
        kept.next_seen[0] = static_cast<float>(total) + 0.5f;
        ++total;
        return kept;
    }

    Gathered gather(i64 steps, const std::vector<i64>& picks) const
    {
        ReplayGatherArgs args;
        args.seen_count = 1;
        args.ring = view(slots);
        args.total = total;
        args.lanes = lanes;
        args.n_step = steps;
        args.gamma = 0.5f;
        args.reward_scale = 2;
        return {args, picks};
    }
};

// One lane, rewards 1, 2, 4, 8, 16; its episode ends by time after the third step (number 2).
// From number 0 with 3 steps and gamma 1/2: 1 + 2/2 + 4/4 = 3. From 1: 2 + 4/2 = 4, no farther.
TEST(NStep, StopsAtAnEpisodesEndWithThatStepsNextState)
{
    Ring ring{8, 1};
    for (const float reward : {1.0f, 2.0f, 4.0f, 8.0f, 16.0f}) ring.add(reward);
    ring.slots[2].ended = 1;
    const Gathered got = ring.gather(3, {0, 1, 2, 3});
    EXPECT_EQ(got.rewards, (std::vector<float>{6, 8, 8, 32}));  // 2 (8 + 16 / 2) = 32
    EXPECT_EQ(got.discounts, (std::vector<float>{0.125f, 0.25f, 0.5f, 0.25f}));
    EXPECT_EQ(got.next_states, (std::vector<float>{2.5f, 2.5f, 2.5f, 4.5f}));
    EXPECT_EQ(got.states, (std::vector<float>{0, 1, 2, 3}));
}

TEST(NStep, ATerminatedStepOnTheWayPromisesNothing)
{
    Ring ring{8, 1};
    for (const float reward : {1.0f, 2.0f, 4.0f}) ring.add(reward);
    ring.slots[1].ended = ring.slots[1].terminated = 1;
    const Gathered got = ring.gather(5, {0, 1, 2});
    EXPECT_EQ(got.rewards, (std::vector<float>{4, 4, 8}));
    EXPECT_EQ(got.discounts, (std::vector<float>{0, 0, 0.5f}));
}

// A ring of 5 with 2 lanes after 9 transitions holds numbers 4 to 8: slots 4, 0, 1, 2, 3. The lane
// of number 4 goes on in 6 and 8, the one of 5 in 7, the newest of its lane.
TEST(NStep, GoesOverTheRingsSeamAndStopsAtTheNewest)
{
    Ring ring{5, 2};
    for (int g = 0; g < 9; ++g) ring.add(static_cast<float>(1 << g));
    const Gathered got = ring.gather(4, {4, 0, 1, 2, 3});
    EXPECT_EQ(got.states, (std::vector<float>{4, 5, 6, 7, 8}));
    EXPECT_EQ(got.next_states, (std::vector<float>{8.5f, 7.5f, 8.5f, 7.5f, 8.5f}));
    EXPECT_EQ(got.discounts, (std::vector<float>{0.125f, 0.25f, 0.25f, 0.5f, 0.5f}));
    EXPECT_EQ(got.rewards[0], 2 * (16.0f + 64.0f / 2 + 256.0f / 4));
    EXPECT_EQ(got.rewards[1], 2 * (32.0f + 128.0f / 2));
}

// Of random lanes, ends and ring sizes, against a walk over all that was ever lived.
TEST(NStep, NoTransitionCrossesAnEpisodeWhateverTheRing)
{
    RandomStream random{11, Purpose::synthetic_bars};
    for (int round = 0; round < 200; ++round) {
        const i64 lanes = 1 + static_cast<i64>(random.below(4));
        const i64 capacity = lanes + static_cast<i64>(random.below(20));
        const i64 steps = 1 + static_cast<i64>(random.below(6));
        Ring ring{capacity, lanes};
        std::vector<Transition> lived;
        const i64 total = lanes * (1 + static_cast<i64>(random.below(30)));
        for (i64 g = 0; g < total; ++g) {
            Transition& kept = ring.add(static_cast<float>(random.below(100)));
            kept.ended = random.below(4) == 0;
            kept.terminated = kept.ended && random.below(2) == 0;
            lived.push_back(kept);
        }
        for (i64 g = std::max(i64{0}, total - capacity); g < total; ++g) {
            float reward = 0, share = 1;
            i64 last = g;
            for (i64 n = 0;; ++n, last += lanes) {
                const auto& step = lived[static_cast<std::size_t>(last)];
                reward += share * step.reward;
                share *= 0.5f;
                if (n + 1 == steps || step.ended != 0 || last + lanes >= total) break;
            }
            const auto& end = lived[static_cast<std::size_t>(last)];
            const Gathered got = ring.gather(steps, {g % capacity});
            ASSERT_EQ(got.rewards[0], 2 * reward);
            ASSERT_EQ(got.discounts[0], end.terminated != 0 ? 0 : share);
            ASSERT_EQ(got.next_states[0], end.next_seen[0]);
        }
    }
}

}  // namespace
}  // namespace barsweep::kernels
