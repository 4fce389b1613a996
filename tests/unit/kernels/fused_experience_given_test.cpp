#include "kernels/fused_experience_given.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

constexpr i64 decisions = 60;

/// Trials over the same bars by actions of their own, and what they wrote.
struct Given {
    TestWorld market{2 * decisions + 1, 2, {}, 0};
    std::vector<Rules> rules{test_rules(), test_rules()};
    std::vector<RewardRules> reward{{}, {RewardKind::logarithmic, 0.01, 0.5, true}};
    std::vector<i8> actions;
    std::vector<GivenRun> runs;
    std::vector<float> states, next_states, rewards;
    std::vector<Label> labels;

    explicit Given(std::size_t trials = 2)
    {
        RandomStream random{8, Purpose::explore};
        const auto count = trials * static_cast<std::size_t>(decisions);
        while (actions.size() < count) actions.push_back(static_cast<i8>(random.below(5)));
        for (std::size_t i = 0; i < trials; ++i) {
            runs.push_back({fresh_account(rules[i]), {}, 0, false, Status::good});
        }
        states.resize(count * 10);
        next_states.resize(count * 10);
        rewards.resize(count);
        labels.resize(count);
    }

    void live(i64 first)
    {
        const auto& given = *this;
        const FusedExperienceGivenArgs args{market.world(),     first,
                                            first + decisions,  view(given.rules),
                                            view(given.reward), view(given.actions),
                                            view(runs),         view(states),
                                            view(next_states),  view(rewards),
                                            view(labels)};
        for (i64 i = 0; i < args.runs.size; ++i) fused_experience_given_one(args, i);
    }
};

TEST(GivenActions, EachNextStateIsTheStateOfTheBarAfter)
{
    Given given;
    given.live(0);
    for (std::size_t trial = 0; trial < 2; ++trial) {
        EXPECT_EQ(given.runs[trial].lived, decisions);
        const auto* states = given.states.data() + trial * decisions * 10;
        const auto* next = given.next_states.data() + trial * decisions * 10;
        EXPECT_EQ(bits({states + 10, states + decisions * 10}),
                  bits({next, next + (decisions - 1) * 10}));
    }
}

TEST(GivenActions, ATrialHasTheBitsItHasAlone)
{
    Given both;
    Given alone{1};
    both.live(3);
    alone.live(3);
    EXPECT_EQ(bits({both.rewards.begin(), both.rewards.begin() + decisions}), bits(alone.rewards));
    EXPECT_EQ(bits({both.states.begin(), both.states.begin() + 10 * decisions}),
              bits(alone.states));
    EXPECT_NE(both.runs[0].account.cash, both.runs[1].account.cash);
}

TEST(GivenActions, ASecondWindowGoesOnWhereTheFirstEnded)
{
    Given given{1};
    given.live(0);
    const auto end = given.next_states;
    given.live(decisions);
    EXPECT_EQ(bits({given.states.begin(), given.states.begin() + 10}),
              bits({end.end() - 10, end.end()}));
    EXPECT_EQ(given.runs[0].stats.count, 2 * decisions);
}

TEST(GivenActions, NothingIsWrittenAfterRuin)
{
    Given given{1};
    given.actions.assign(decisions, 4);
    given.rules[0].barrier = Barrier::off;
    for (std::size_t k = 4 * 11; k < 4 * 30; ++k) given.market.ohlc[k] = 10;
    given.rewards.assign(decisions, 7);
    given.live(0);
    EXPECT_TRUE(given.runs[0].terminated);
    EXPECT_EQ(given.runs[0].lived, 11);
    EXPECT_NE(given.rewards[10], 7);
    EXPECT_EQ(given.rewards[11], 7);
    given.live(decisions);
    EXPECT_EQ(given.runs[0].lived, 0);
}

TEST(GivenActions, AnOverflowStopsTheTrialWithItsStatus)
{
    Given given{1};
    given.actions.assign(decisions, 4);
    given.rules[0].barrier = Barrier::off;
    for (std::size_t k = 4 * 6; k < 4 * 30; ++k) given.market.ohlc[k] = INT64_MAX / 2;
    given.live(0);
    EXPECT_EQ(given.runs[0].status, Status::overflow);
    EXPECT_EQ(given.runs[0].lived, 5);
}

}  // namespace
}  // namespace barsweep::kernels
