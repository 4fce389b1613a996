#include "kernels/experience.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

/// A trial's lanes and ring, stepped by given actions.
struct TestTrial {
    World world;
    Rules rules = test_rules();
    std::vector<Lane> lanes;
    std::vector<Transition> replay;
    i64 steps = 0;

    TestTrial(const World& lived_in, std::size_t lane_count, std::size_t capacity)
        : world{lived_in}, lanes(lane_count), replay(capacity)
    {
        for (std::size_t l = 0; l < lane_count; ++l) {
            begin_episode(world, rules, static_cast<i64>(l), lanes[l]);
        }
    }

    ExperienceArgs args(const std::vector<i8>& actions)
    {
        return {world, rules, RewardRules{}, view(actions), view(lanes), view(replay), steps};
    }

    void step(const std::vector<i8>& actions)
    {
        const auto all = args(actions);
        for (i64 i = 0; i < all.lanes.size; ++i) experience_one(all, i);
        steps += static_cast<i64>(lanes.size());
    }
};

std::vector<i8> random_actions(RandomStream& random, std::size_t count)
{
    std::vector<i8> actions;
    while (actions.size() < count) actions.push_back(static_cast<i8>(random.below(5)));
    return actions;
}

/// Two bars by hand: 1000 money buys 10 lots at the open of 100, marked at 110, then at 99.
constexpr Lane worked(Transition& first, Transition& second)
{
    const i64 ohlc[] = {100, 100, 100, 100, 100, 110, 100, 110, 110, 110, 99, 99};
    const i64 sigma[] = {0, 0, 0};
    const i64 starts[] = {0};
    const i8 actions[] = {4};
    Rules rules;
    rules.initial = 1000;
    rules.barrier = Barrier::off;
    Lane lanes[1];
    Transition replay[2];
    const World world{{ohlc, 12}, {sigma, 3}, {nullptr, 0}, 0, AccountView::full, {starts, 1}, 2};
    begin_episode(world, rules, 0, lanes[0]);
    experience_one({world, rules, {}, {actions, 1}, {lanes, 1}, {replay, 2}, 0}, 0);
    experience_one({world, rules, {}, {actions, 1}, {lanes, 1}, {replay, 2}, 1}, 0);
    first = replay[0];
    second = replay[1];
    return lanes[0];
}

constexpr bool worked_is_right()
{
    Transition first, second;
    const Lane lane = worked(first, second);
    return first.row == 0 && first.action == 4 && first.reward == 0.1f && first.seen[0] == 0 &&
           first.next_seen[0] == 1 && first.next_seen[1] == 1 &&  // exposure, level
           first.next_seen[7] == 0.1f && second.row == 1 && second.seen[7] == 0.1f &&
           second.reward == -0.1f && second.next_seen[6] == 0.1f &&  // (1100 - 990) / 1100
           second.terminated == 0 && lane.status == Status::no_episode;
}
static_assert(worked_is_right());

TEST(Experience, EveryTransitionIsThatOfAnAccountLivingItsEpisodeAlone)
{
    const TestWorld market{400, 3, {5, 100, 290, 37, 220, 150}, 40};
    TestTrial trial{market.world(), 2, 1000};
    RandomStream random{1, Purpose::explore};
    std::vector<RewardStats> stats(2);
    std::vector<std::vector<i8>> taken;
    for (int t = 0; t < 120; ++t) {
        taken.push_back(random_actions(random, 2));
        trial.step(taken.back());
    }
    for (std::size_t l = 0; l < 2; ++l) {
        EXPECT_EQ(trial.lanes[l].status, Status::no_episode);
        Account account;
        for (std::size_t t = 0; t < 120; ++t) {
            if (t % 40 == 0) account = fresh_account(trial.rules);
            const auto& kept = trial.replay[2 * t + l];
            const i64 row = market.starts[2 * (t / 40) + l] + static_cast<i64>(t % 40);
            std::vector<float> seen(8), next(8);
            see_account(trial.world, trial.rules, account, row, seen.data());
            const auto step =
                advance(trial.rules, account, bar_at(trial.world.ohlc, row),
                        bar_at(trial.world.ohlc, row + 1), market.sigma[static_cast<size_t>(row)],
                        trial.rules.levels_ppm[taken[t][l]], NoSink{});
            see_account(trial.world, trial.rules, account, row + 1, next.data());
            ASSERT_EQ(kept.row, row);
            ASSERT_EQ(kept.action, taken[t][l]);
            ASSERT_EQ(kept.reward, reward_of({}, step, account.peak, stats[l]));
            ASSERT_EQ(bits({kept.seen, kept.seen + 8}), bits(seen));
            ASSERT_EQ(bits({kept.next_seen, kept.next_seen + 8}), bits(next));
        }
    }
}

TEST(Experience, ATruncatedStepSeesItsOwnEpisodesEndAndTheNextBeginsFresh)
{
    const TestWorld market{100, 2, {10, 60}, 20};
    TestTrial trial{market.world(), 1, 100};
    for (int t = 0; t < 21; ++t) trial.step({4});
    const auto& last = trial.replay[19];
    EXPECT_EQ(last.row, 29);
    EXPECT_EQ(last.terminated, 0);
    EXPECT_NE(last.next_seen[1], 0);  // still long at row 30
    const auto& first = trial.replay[20];
    EXPECT_EQ(first.row, 60);
    EXPECT_EQ(bits({first.seen, first.seen + 8}), bits(std::vector<float>(8)));
    EXPECT_EQ(trial.lanes[0].stats.count, 21);
}

TEST(Experience, RuinTerminatesAndTheNextEpisodeIsTheLanesNext)
{
    TestWorld market{60, 1, {0, 20, 40, 10}, 15};
    for (std::size_t k = 4 * 5; k < 4 * 10; ++k) market.ohlc[k] = 10;
    TestTrial trial{market.world(), 2, 64};
    trial.rules.barrier = Barrier::off;
    for (int t = 0; t < 6; ++t) trial.step({4, 2});
    const auto& ruined = trial.replay[2 * 4];
    EXPECT_EQ(ruined.row, 4);
    EXPECT_EQ(ruined.terminated, 1);
    EXPECT_EQ(ruined.next_seen[0], 0);  // closed at that close
    EXPECT_EQ(trial.lanes[0].episode, 2);
    EXPECT_EQ(trial.replay[2 * 5].row, 40);
    EXPECT_EQ(trial.lanes[1].episode, 1);
}

TEST(Experience, TheRingGoesOnAtItsSeam)
{
    const TestWorld market{100, 1, {0, 10, 20}, 50};
    TestTrial trial{market.world(), 3, 7};
    for (int t = 0; t < 3; ++t) trial.step({1, 2, 3});
    // steps 0..8 in slots 0..6, 0, 1: the last two are those of lanes 1 and 2 at their third bar
    EXPECT_EQ(trial.replay[6].row, 2);
    EXPECT_EQ(trial.replay[0].row, 12);
    EXPECT_EQ(trial.replay[1].row, 22);
    EXPECT_EQ(trial.replay[2].row, 20);
}

TEST(Experience, ALaneThatOverflowsStandsStillAndWritesNothing)
{
    TestWorld market{30, 1, {0, 10}, 9};
    for (std::size_t k = 4 * 3; k < 4 * 10; ++k) market.ohlc[k] = INT64_MAX / 2;
    TestTrial trial{market.world(), 2, 40};
    trial.rules.barrier = Barrier::off;
    for (int t = 0; t < 5; ++t) trial.step({4, 4});
    EXPECT_EQ(trial.lanes[0].status, Status::overflow);
    EXPECT_EQ(trial.lanes[0].row, 2);
    EXPECT_EQ(trial.replay[2 * 2].row, 0);  // as it was made
    EXPECT_EQ(trial.lanes[1].status, Status::good);
    EXPECT_EQ(trial.replay[2 * 4 + 1].row, 14);
}

TEST(Experience, AnEpisodeThatDoesNotFitTheBarsIsNotBegun)
{
    const TestWorld market{30, 1, {20, 21, -1}, 9};
    Lane lane;
    begin_episode(market.world(), test_rules(), 0, lane);
    EXPECT_EQ(lane.status, Status::good);
    for (const i64 j : {1, 2, 3, -1}) {
        Lane refused;
        begin_episode(market.world(), test_rules(), j, refused);
        EXPECT_EQ(refused.status, Status::no_episode) << j;
    }
}

TEST(Experience, TrialsStepTogetherAsTheyDoAlone)
{
    const TestWorld market{200, 2, {0, 30, 60, 90, 120}, 20};
    TestTrial wide{market.world(), 4, 64};
    TestTrial narrow{market.world(AccountView::three), 2, 64};
    TestTrial wide_alone = wide;
    TestTrial narrow_alone = narrow;
    const std::vector<i8> four{0, 1, 3, 4}, two{4, 0};
    const std::vector<ExperienceArgs> both{narrow.args(two), wide.args(four)};
    const FusedExperienceArgs fused{view(both), 4};
    for (i64 i = 0; i < 8; ++i) fused_experience_one(fused, i);
    wide_alone.step(four);
    narrow_alone.step(two);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(wide.replay[k].reward, wide_alone.replay[k].reward);
        EXPECT_EQ(wide.lanes[k].account.cash, wide_alone.lanes[k].account.cash);
    }
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(narrow.replay[k].reward, narrow_alone.replay[k].reward);
        EXPECT_EQ(narrow.lanes[k].account.cash, narrow_alone.lanes[k].account.cash);
        EXPECT_EQ(narrow.replay[k].next_seen[3], 0);  // three features in this view
    }
}

}  // namespace
}  // namespace barsweep::kernels
