#include "kernels/replay_gather.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

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
    std::vector<float> got(states.size()), got_next(states.size()), rewards(60), continues(60);
    std::vector<i64> actions(60);
    const ReplayGatherArgs args{world,
                                view(std::as_const(replay)),
                                view(std::as_const(picks)),
                                100.0f,
                                view(got),
                                view(got_next),
                                view(rewards),
                                view(continues),
                                view(actions)};
    for (i64 i = 0; i < 60; ++i) replay_gather_one(args, i);
    EXPECT_EQ(bits(got), bits(states));
    EXPECT_EQ(bits(got_next), bits(next_states));
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_EQ(rewards[i], replay[i].reward * 100.0f);
        EXPECT_EQ(continues[i], 1.0f);
        EXPECT_EQ(actions[i], replay[i].action);
    }
}

INSTANTIATE_TEST_SUITE_P(Gather, EveryView,
                         testing::Values(AccountView::full, AccountView::three, AccountView::seed));

TEST(Gather, ATerminatedStepDoesNotContinueAndPicksMayRepeat)
{
    const TestWorld market{10, 1, {0}, 5};
    std::vector<Transition> replay(3);
    replay[1].row = 4;
    replay[1].terminated = 1;
    replay[2].row = 7;
    const std::vector<i64> picks{2, 1, 2};
    std::vector<float> states(27), next_states(27), rewards(3), continues(3);
    std::vector<i64> actions(3);
    const ReplayGatherArgs args{market.world(),
                                view(std::as_const(replay)),
                                view(std::as_const(picks)),
                                1.0f,
                                view(states),
                                view(next_states),
                                view(rewards),
                                view(continues),
                                view(actions)};
    for (i64 i = 0; i < 3; ++i) replay_gather_one(args, i);
    EXPECT_EQ(continues, (std::vector<float>{1, 0, 1}));
    EXPECT_EQ(states[0], market.features[7]);
    EXPECT_EQ(next_states[9], market.features[5]);
    EXPECT_EQ(states[18], market.features[7]);
}

}  // namespace
}  // namespace barsweep::kernels
