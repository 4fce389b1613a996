#include "agents/learner.hpp"

#include <gmock/gmock.h>

#include "agents/learner_work.hpp"
#include "support.hpp"

namespace barsweep::agents {
namespace {

using testing::HasSubstr;

TEST(Learner, MakesOneUpdateForEveryUpdateEveryStepsFromLearningStartsOn)
{
    const auto set = small_set();
    auto plan = small_plan();
    dqn(plan).update_every = 6;  // 4 lanes: two thirds of an update a lock-step
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
    for (auto plan : small_plans()) {
        const auto bits = [&](TrialKey key) {
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
}

TEST(Learner, OfPpoLearnsEpochsOfMinibatchesOnceARolloutIsWhole)
{
    const auto set = small_set();
    Learner learner{set, small_ppo_plan()};  // 24 steps a rollout, two epochs of three minibatches
    for (std::int64_t steps = 4; steps <= 400; steps += 4) {
        learner.step();
        ASSERT_EQ(learner.steps(), steps);
        ASSERT_EQ(learner.updates(), steps / 24 * 6) << steps;
    }
}

TEST(Learner, WorkOfAPlanIsWhatItsLearnerDoes)
{
    const auto set = small_set();
    for (const auto& plan : small_plans()) {
        Learner learner{set, plan};
        for (const std::int64_t steps : {40, 200, 640}) {
            EXPECT_EQ(run_to(learner, steps).updates(), updates_by(plan.config, steps)) << steps;
        }
        EXPECT_GT(resident_bytes(set, plan), 4 * 4 * (59 * 16 + 16 * 12));
        EXPECT_LE(resident_bytes(set, plan), allocated_bytes(set, plan));
        const auto file = static_cast<double>(learner.save().size());
        EXPECT_NEAR(file, static_cast<double>(checkpoint_bytes(set, plan)), 0.5 * file);
    }
}

TEST(Learner, TargetOptionsCount)
{
    const auto set = small_set();
    const auto bits = [&](std::int64_t every, double tau, bool double_q) {
        auto plan = small_plan();
        dqn(plan).target_every = every;
        dqn(plan).tau = tau;
        dqn(plan).double_q = double_q;
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
    dqn(plan).target_every = 4;
    Learner copied{set, plan};
    dqn(plan).target_every = 0;
    dqn(plan).tau = 1;
    Learner blended{set, plan};
    const auto near = run_to(copied, 400).policy().parameters;
    const auto same = run_to(blended, 400).policy().parameters;
    for (std::size_t i = 0; i < near.size(); ++i) ASSERT_NEAR(near[i], same[i], 1e-4);
}

TEST(Learner, AnAbsurdLearningRateDivergesAndSaysWhen)
{
    const auto set = small_set();
    auto plan = small_plan();
    dqn(plan).learning_rate = 1;
    dqn(plan).max_grad_norm = 0;
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
    dqn(plan).buffer = 10'000'000'000'000;
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
    dqn(plan).hidden = {32};
    dqn(plan).batch = 32;
    dqn(plan).buffer = 5'000;
    dqn(plan).learning_rate = 3e-3;
    dqn(plan).gamma = 0.9;
    dqn(plan).episode = 200;
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
