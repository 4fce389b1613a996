#include "agents/bar_lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support.hpp"

namespace barsweep::agents {
namespace {

BarLanesPlan plan_of_lanes(std::int64_t episode = 7)
{
    BarLanesPlan plan;
    plan.rules = small_plan().rules;
    plan.lanes = 4;
    plan.episode = episode;
    plan.key = {7, 0, 0};
    return plan;
}

template <class T>
kernels::View<T> view(std::vector<T>& values)
{
    return {values.data(), static_cast<kernels::i64>(values.size())};
}

std::vector<kernels::i8> actions_at(std::int64_t lock_step)
{
    std::vector<kernels::i8> actions;
    for (std::int64_t lane = 0; lane < 4; ++lane) {
        actions.push_back(static_cast<kernels::i8>((3 * lane + lock_step * lock_step) % 5));
    }
    return actions;
}

TEST(BarLanes, RingHoldsTheLastStepsAcrossItsSeamAndEpisodeEnds)
{
    const auto set = small_set();
    BarLanes bars{set, plan_of_lanes()};
    const Lanes lanes = bars.lanes();
    Episodes episodes{set.train, 7, 7, 0};
    const auto starts = episodes.up_to(400);
    std::vector<kernels::Transition> ring(50);  // no multiple of the lanes
    for (std::int64_t steps = 0; steps < 240; steps += 4) {
        auto actions = actions_at(steps / 4);
        lanes.step({actions.data(), 4}, view(ring), {}, steps % 50);
        for (std::int64_t n = std::max<std::int64_t>(0, steps + 4 - 50); n < steps + 4; ++n) {
            const std::int64_t lane = n % 4, bar = n / 4;
            const auto& kept = ring[static_cast<std::size_t>(n % 50)];
            ASSERT_EQ(kept.row, starts[lane + 4 * (bar / 7)] + bar % 7) << n;
            ASSERT_EQ(kept.action, actions_at(bar)[static_cast<std::size_t>(lane)]);
            ASSERT_EQ(kept.terminated, 0);  // a truncated step bootstraps
            ASSERT_EQ(kept.ended, bar % 7 == 6);
        }
    }
}

/// What a lane sees after a step is the step's own next state, but where a new episode began.
TEST(BarLanes, SeeWhatTheirStepsLedTo)
{
    const auto set = small_set();
    BarLanes bars{set, plan_of_lanes()};
    const Lanes lanes = bars.lanes();
    std::vector<kernels::Transition> ring(4);
    std::vector<float> seen(static_cast<std::size_t>(4 * lanes.inputs()));
    int fresh = 0;
    for (std::int64_t lock_step = 0; lock_step < 40; ++lock_step) {
        auto actions = actions_at(lock_step);
        lanes.step({actions.data(), 4}, view(ring), {}, 0);
        lanes.observe(view(seen));
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const float* row = seen.data() + lane * static_cast<std::size_t>(lanes.inputs());
            const float* account = row + lanes.feature_count;
            const bool same =
                std::equal(account, account + lanes.seen_count, ring[lane].next_seen) &&
                std::equal(row, account,
                           lanes.features.data + (ring[lane].row + 1) * lanes.feature_count);
            if (ring[lane].ended != 0) {
                ++fresh;
                EXPECT_EQ(account[0], 0) << "a fresh account holds nothing";
            } else {
                EXPECT_TRUE(same) << lock_step << " " << lane;
            }
        }
    }
    EXPECT_EQ(fresh, 4 * 5);
}

/// Of the level that was taken the counterfactual step is the step itself.
TEST(BarLanes, TellEveryLevelsStepFromTheAccountAsItStood)
{
    const auto set = small_set();
    BarLanes bars{set, plan_of_lanes(30)};
    const Lanes lanes = bars.lanes();
    std::vector<kernels::Transition> ring(80);
    std::vector<kernels::Account> accounts(80);
    for (std::int64_t steps = 0; steps < 80; steps += 4) {
        auto actions = actions_at(steps / 4);
        lanes.step({actions.data(), 4}, view(ring), view(accounts), steps);
    }
    std::vector<kernels::i64> picks{3, 78, 41, 17};
    std::vector<float> rewards(20), discounts(20),
        states(20 * static_cast<std::size_t>(lanes.inputs()));
    lanes.counterfactual({.world = {},
                          .rules = {},
                          .reward = {},
                          .ring = {ring.data(), 80},
                          .accounts = {accounts.data(), 80},
                          .picks = {picks.data(), 4},
                          .reward_scale = 100,
                          .gamma = 0.9f,
                          .rewards = view(rewards),
                          .discounts = view(discounts),
                          .next_states = view(states)});
    for (std::size_t i = 0; i < picks.size(); ++i) {
        const auto& step = ring[static_cast<std::size_t>(picks[i])];
        const auto at = 5 * i + static_cast<std::size_t>(step.action);
        EXPECT_EQ(rewards[at], step.reward * 100);
        EXPECT_EQ(discounts[at], 0.9f);
        const float* next = states.data() + at * static_cast<std::size_t>(lanes.inputs());
        EXPECT_TRUE(std::equal(step.next_seen, step.next_seen + lanes.seen_count,
                               next + lanes.feature_count));
        EXPECT_NE(*std::ranges::max_element(rewards.begin() + 5 * static_cast<long>(i),
                                            rewards.begin() + 5 * static_cast<long>(i + 1)),
                  *std::ranges::min_element(rewards.begin() + 5 * static_cast<long>(i),
                                            rewards.begin() + 5 * static_cast<long>(i + 1)));
    }
}

TEST(BarLanes, ComeBackFromWhatTheySave)
{
    const auto set = small_set();
    BarLanes bars{set, plan_of_lanes()};
    const Lanes lanes = bars.lanes();
    std::vector<kernels::Transition> ring(400), again(400);
    std::string saved;
    for (std::int64_t steps = 0; steps < 200; steps += 4) {
        if (steps == 100) lanes.save(saved);
        auto actions = actions_at(steps / 4);
        lanes.step({actions.data(), 4}, view(ring), {}, steps);
    }
    BarLanes other{set, plan_of_lanes()};
    const Lanes restored = other.lanes();
    std::string_view rest = saved;
    ASSERT_TRUE(restored.load(rest));
    EXPECT_TRUE(rest.empty());
    for (std::int64_t steps = 100; steps < 200; steps += 4) {
        auto actions = actions_at(steps / 4);
        restored.step({actions.data(), 4}, view(again), {}, steps);
        for (auto n = static_cast<std::size_t>(steps); n < static_cast<std::size_t>(steps) + 4;
             ++n) {
            ASSERT_EQ(again[n].row, ring[n].row);
            ASSERT_EQ(again[n].reward, ring[n].reward);
        }
    }
    rest = std::string_view{saved}.substr(1);
    EXPECT_FALSE(restored.load(rest));
}

}  // namespace
}  // namespace barsweep::agents
