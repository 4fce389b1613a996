#include "agents/learner.hpp"

#include <gmock/gmock.h>

#include "agents/bytes.hpp"
#include "agents/episodes.hpp"
#include "agents/sealed.hpp"
#include "support.hpp"

namespace barsweep::agents {
namespace {

using testing::HasSubstr;

TEST(Learner, MakesOneUpdateForEveryUpdateEveryStepsFromLearningStartsOn)
{
    const auto set = small_set();
    auto plan = small_plan();
    plan.config.update_every = 6;  // 4 lanes: two thirds of an update a lock-step
    Learner learner{set, plan};
    for (std::int64_t steps = 4; steps <= 400; steps += 4) {
        learner.step();
        ASSERT_EQ(learner.steps(), steps);
        ASSERT_EQ(learner.updates(), steps < 32 ? 0 : steps / 6 - 32 / 6) << steps;
    }
}

TEST(Learner, SamePlanSameBitsAndEveryPartOfTheKeyCounts)
{
    const auto set = small_set();
    const auto bits = [&](TrialKey key) {
        auto plan = small_plan();
        plan.key = key;
        Learner learner{set, plan};
        return run_to(learner, 200).policy().parameters;
    };
    const auto first = bits({7, 3, 0});
    EXPECT_EQ(first, bits({7, 3, 0}));
    EXPECT_NE(first, bits({8, 3, 0}));
    EXPECT_NE(first, bits({7, 4, 0}));
    EXPECT_NE(first, bits({7, 3, 1}));
}

TEST(Learner, TargetOptionsCount)
{
    const auto set = small_set();
    const auto bits = [&](std::int64_t every, double tau, bool double_q) {
        auto plan = small_plan();
        plan.config.target_every = every;
        plan.config.tau = tau;
        plan.config.double_q = double_q;
        Learner learner{set, plan};
        return run_to(learner, 400).policy().parameters;
    };
    const auto period = bits(40, 0, true);
    EXPECT_NE(period, bits(80, 0, true));
    EXPECT_NE(period, bits(40, 0.01, true));
    EXPECT_NE(period, bits(40, 0, false));
    EXPECT_EQ(bits(40, 0.01, true), bits(0, 0.01, true));  // by tau alone
    // A copy before every update: the target's share of tau = 1.
    auto plan = small_plan();
    plan.config.target_every = 4;
    Learner copied{set, plan};
    plan.config.target_every = 0;
    plan.config.tau = 1;
    Learner blended{set, plan};
    const auto near = run_to(copied, 400).policy().parameters;
    const auto same = run_to(blended, 400).policy().parameters;
    for (std::size_t i = 0; i < near.size(); ++i) ASSERT_NEAR(near[i], same[i], 1e-4);
}

/// The replay ring as a checkpoint keeps it (learner_save.cpp): rows and flags of slots 0 ...
struct Kept {
    std::int32_t row;
    kernels::i8 action, terminated;
};

std::vector<Kept> ring_of(const Learner& learner, std::int64_t lanes, std::int64_t filled)
{
    const auto bytes = bytes_of(learner);
    auto payload = unseal(bytes, "barsweep dqn checkpoint 1", "here").payload;
    payload.remove_prefix(16 + static_cast<std::size_t>(lanes) * 16 * 8);
    std::vector<Kept> ring(static_cast<std::size_t>(filled));
    for (auto& kept : ring) {
        EXPECT_TRUE(take(payload, &kept.row) && take(payload, &kept.action) &&
                    take(payload, &kept.terminated));
        payload.remove_prefix(17 * sizeof(float));
    }
    return ring;
}

TEST(Learner, ReplayHoldsTheLastStepsAcrossItsSeamAndEpisodeEnds)
{
    const auto set = small_set();
    auto plan = small_plan();
    plan.config.buffer = 50;  // no multiple of the lanes
    plan.config.episode = 7;
    Learner learner{set, plan};
    Episodes episodes{set.train, 7, plan.key.seed, plan.key.replicate};
    const auto starts = episodes.up_to(400);
    for (std::int64_t lock_step = 0; lock_step < 60; ++lock_step) {
        learner.step();
        const auto filled = std::min<std::int64_t>(50, learner.steps());
        const auto ring = ring_of(learner, 4, filled);
        for (std::int64_t back = 0; back < filled; ++back) {
            const std::int64_t n = learner.steps() - 1 - back;  // the n-th step of all
            const std::int64_t lane = n % 4, bar = n / 4;
            const auto& kept = ring[static_cast<std::size_t>(n % 50)];
            ASSERT_EQ(kept.row, starts[lane + 4 * (bar / 7)] + bar % 7) << n;
            ASSERT_EQ(kept.terminated, 0);  // a truncated step bootstraps
            ASSERT_TRUE(kept.action >= 0 && kept.action < 5);
        }
    }
}

TEST(Learner, AnAbsurdLearningRateDivergesAndSaysWhen)
{
    const auto set = small_set();
    auto plan = small_plan();
    plan.config.learning_rate = 1;
    plan.config.max_grad_norm = 0;
    plan.reward.barrier_weight = 1e38;
    Learner learner{set, plan};
    try {
        run_to(learner, 2'000);
        FAIL() << "still finite";
    } catch (const Diverged& error) {
        EXPECT_THAT(error.what(), HasSubstr("diverged: a loss or a weight is not finite at step"));
        EXPECT_LE(learner.steps(), 2'000);
    }
}

TEST(Learner, AnAccountThatLeavesInt64StopsTheTrialAndIsNamed)
{
    const auto set = small_set();
    auto plan = small_plan();
    plan.rules.unit_lots = 1'000'000'000'000'000;
    Learner learner{set, plan};
    try {
        run_to(learner, 2'000);
        FAIL() << "went on";
    } catch (const std::overflow_error& error) {
        EXPECT_THAT(error.what(),
                    testing::MatchesRegex("the account of lane [0-3] can't be told in "
                                          "64 bits at store row [0-9]+: cash .*"));
    }
}

TEST(Learner, MemoryThatIsNotThereIsTold)
{
    if (own_allocator) GTEST_SKIP() << "a sanitizer's allocator";
    const auto set = small_set();
    auto plan = small_plan();
    plan.config.buffer = 10'000'000'000'000;
    try {
        const Learner learner{set, plan};
        FAIL() << "this machine has a petabyte";
    } catch (const std::bad_alloc& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("out of memory: agent.buffer = 10000000000000 asks for"));
    }
}

TEST(Learner, LearnsWhichLevelPaysOnASine)
{
    const auto set = small_set();
    auto plan = small_plan();
    plan.config.hidden = {32};
    plan.config.batch = 32;
    plan.config.buffer = 5'000;
    plan.config.learning_rate = 3e-3;
    plan.config.gamma = 0.9;
    plan.config.episode = 200;
    plan.last_rung = 12'000;
    Learner learner{set, plan};
    const auto profit = [&] {
        return sim::run_policy(set.market, set.features, learner.policy(), plan.rules, set.train,
                               1e5)
            .metrics.at("total_return");
    };
    const double before = profit();
    run_to(learner, 12'000);
    EXPECT_GT(profit(), before + 0.05);
    EXPECT_GT(profit(), 0.05);
}

}  // namespace
}  // namespace barsweep::agents
