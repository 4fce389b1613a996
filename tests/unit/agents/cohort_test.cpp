#include "agents/cohort.hpp"

#include <gmock/gmock.h>
#include <malloc.h>

#include <thread>

#include "agents/checkpoint.hpp"
#include "support.hpp"

namespace barsweep::agents {
namespace {

/// Trials of all shapes and both kinds side by side.
LearnerPlan mixed_plan(std::int64_t trial)
{
    static const std::vector<std::vector<std::int32_t>> widths{{16, 12}, {7}, {33, 20, 9}, {64}};
    if (trial % 4 == 2) return small_ppo_plan(trial);
    auto plan = trial % 4 == 3 ? rainbow_plan(trial) : small_plan(trial);
    dqn(plan).hidden = widths[static_cast<std::size_t>(trial % 4)];
    dqn(plan).batch = 4 + 9 * (trial % 3);
    dqn(plan).update_every = 2 + trial % 3;
    return plan;
}

std::string alone(const TrainingSet& set, std::int64_t trial, std::int64_t steps)
{
    Learner learner{set, mixed_plan(trial)};
    return bytes_of(run_to(learner, steps));
}

TEST(Cohort, ATrialHasTheSameBitsInAnySlotCohortSizeAndInterleaving)
{
    const auto set = small_set();
    for (const std::size_t slots : {1u, 3u, 8u}) {
        Cohort cohort{set, slots};
        for (std::int64_t trial = 0; trial < 8; ++trial) {
            const auto slot = static_cast<std::size_t>(7 * trial + 1) % slots;
            const auto plan = mixed_plan(trial);
            cohort.advance({slot, plan, 80, {}});
            const auto& learner = cohort.advance({slot, plan, 240, {}});
            EXPECT_EQ(bytes_of(learner), alone(set, trial, 240)) << slots << " " << trial;
        }
    }
}

/// Every other one starts later, so that trials stand at different points of their cycles.
TEST(Cohort, TrialsThatStepTogetherHaveTheBitsOfEachAlone)
{
    const auto set = small_set();
    for (const std::size_t together : {2u, 3u, 8u}) {
        Cohort cohort{set, 8, Cohort::Seconds{60}, together};
        std::vector<Goal> goals;
        for (std::int64_t trial = 0; trial < 8; ++trial) {
            const auto slot = static_cast<std::size_t>(trial);
            if (trial % 2 == 0) cohort.advance({slot, mixed_plan(trial), 44, {}});
            goals.push_back({slot, mixed_plan(trial), 160 + 40 * (trial % 3), {}});
        }
        const auto arrivals = cohort.advance(goals);
        for (std::int64_t trial = 0; trial < 8; ++trial) {
            const auto& arrival = arrivals[static_cast<std::size_t>(trial)];
            ASSERT_TRUE(arrival.learner) << together << " " << trial;
            EXPECT_EQ(bytes_of(*arrival.learner), alone(set, trial, 160 + 40 * (trial % 3)))
                << together << " " << trial;
        }
    }
}

TEST(Cohort, OneOfAGroupThatFailsIsToldAndTheOthersArrive)
{
    const auto set = small_set();
    const Folder folder;
    Cohort cohort{set, 4, Cohort::Seconds{60}, 4};
    auto bad = mixed_plan(1);
    dqn(bad).learning_rate = 1;
    dqn(bad).max_grad_norm = 0;
    bad.reward.barrier_weight = 1e38;
    auto greedy = mixed_plan(5);
    dqn(greedy).buffer = 10'000'000'000'000;
    if (own_allocator) greedy = bad;
    const std::vector<Goal> goals{{0, mixed_plan(0), 400, folder / "0"},
                                  {1, bad, 400, folder / "1"},
                                  {2, mixed_plan(2), 400, folder / "2"},
                                  {3, greedy, 400, folder / "3"}};
    const auto arrivals = cohort.advance(goals);
    for (const std::int64_t trial : {0, 2}) {
        const auto slot = static_cast<std::size_t>(trial);
        EXPECT_EQ(bytes_of(*arrivals[slot].learner), alone(set, trial, 400));
        EXPECT_EQ(file_bytes(goals[slot].checkpoint), alone(set, trial, 400));
    }
    EXPECT_THROW(std::rethrow_exception(arrivals[1].failure), Diverged);
    EXPECT_TRUE(arrivals[3].failure);
    for (const auto* name : {"1", "3"}) EXPECT_FALSE(std::filesystem::exists(folder / name));
    EXPECT_EQ(bytes_of(cohort.advance({1, mixed_plan(7), 80, {}})), alone(set, 7, 80));
}

TEST(Cohort, ThreadsChangeNoBit)
{
    const auto set = small_set();
    Cohort cohort{set, 8};
    std::vector<std::string> bytes(8);
    std::vector<std::jthread> threads;
    for (std::size_t slot = 0; slot < 8; ++slot) {
        threads.emplace_back([&, slot] {
            for (const std::int64_t steps : {60, 160, 400}) {
                bytes[slot] = bytes_of(
                    cohort.advance({slot, mixed_plan(static_cast<std::int64_t>(slot)), steps, {}}));
            }
        });
    }
    threads.clear();
    for (std::size_t slot = 0; slot < 8; ++slot) {
        EXPECT_EQ(bytes[slot], alone(set, static_cast<std::int64_t>(slot), 400)) << slot;
    }
}

TEST(Cohort, OneThatDivergesLeavesItsNeighboursBitsAloneAndItsSlotEmpty)
{
    const auto set = small_set();
    Cohort cohort{set, 2};
    auto bad = mixed_plan(1);
    dqn(bad).learning_rate = 1;
    dqn(bad).max_grad_norm = 0;
    bad.reward.barrier_weight = 1e38;
    cohort.advance({0, mixed_plan(0), 80, {}});
    EXPECT_THROW(cohort.advance({1, bad, 2'000, {}}), Diverged);
    EXPECT_EQ(bytes_of(cohort.advance({0, mixed_plan(0), 240, {}})), alone(set, 0, 240));
    EXPECT_EQ(bytes_of(cohort.advance({1, mixed_plan(5), 240, {}})), alone(set, 5, 240));
}

TEST(Cohort, OneThatFindsNoMemoryLeavesItsNeighboursAlone)
{
    if (own_allocator) GTEST_SKIP() << "a sanitizer's allocator";
    const auto set = small_set();
    Cohort cohort{set, 2};
    auto greedy = mixed_plan(1);
    dqn(greedy).buffer = 10'000'000'000'000;
    cohort.advance({0, mixed_plan(0), 80, {}});
    EXPECT_THROW(cohort.advance({1, greedy, 2'000, {}}), OutOfMemory);
    EXPECT_EQ(bytes_of(cohort.advance({0, mixed_plan(0), 240, {}})), alone(set, 0, 240));
}

TEST(Cohort, GoesOnFromItsCheckpointInAnotherCohort)
{
    const auto set = small_set();
    const Folder folder;
    const auto path = folder / "3.ckpt";
    Cohort{set, 2}.advance({1, mixed_plan(3), 120, path});
    EXPECT_TRUE(std::filesystem::exists(path));
    Cohort second{set, 1};
    // Only the steps that are missing are made: this stop would end a trial begun anew at 4.
    int asked = 0;
    second.advance({0, mixed_plan(3), 240, path}, [&] { return ++asked > 30; });
    EXPECT_EQ(asked, 30);
    EXPECT_EQ(bytes_of(second.advance({0, mixed_plan(3), 240, path})), alone(set, 3, 240));
}

TEST(Cohort, AStopSavesWhereItStands)
{
    const auto set = small_set();
    const Folder folder;
    const auto path = folder / "3.ckpt";
    Cohort cohort{set, 1};
    int asked = 0;
    const auto& learner =
        cohort.advance({0, mixed_plan(3), 240, path}, [&] { return ++asked > 10; });
    EXPECT_EQ(learner.steps(), 40);
    EXPECT_EQ(file_bytes(path), alone(set, 3, 40));
}

TEST(Cohort, SavesOnTheWay)
{
    const auto set = small_set();
    const Folder folder;
    const auto path = folder / "3.ckpt";
    Cohort cohort{set, 1, Cohort::Seconds{0}};
    int asked = 0;
    cohort.advance({0, mixed_plan(3), 240, path}, [&] {
        if (asked++ == 7) {
            EXPECT_EQ(file_bytes(path), alone(set, 3, 28));
        }
        return false;
    });
    EXPECT_GT(asked, 7);
}

TEST(Cohort, ADamagedCheckpointOrOneThatLiesBeyondCostsTimeAlone)
{
    const auto set = small_set();
    const Folder folder;
    const auto path = folder / "3.ckpt";
    std::ofstream{path} << "barsweep checkpoint 2\nnonsense";
    Cohort cohort{set, 1};
    EXPECT_EQ(bytes_of(cohort.advance({0, mixed_plan(3), 120, path})), alone(set, 3, 120));
    EXPECT_EQ(bytes_of(cohort.advance({0, mixed_plan(3), 80, path})), alone(set, 3, 80));
    EXPECT_EQ(bytes_of(cohort.advance({0, mixed_plan(3), 160, "/nowhere/3.ckpt"})),
              alone(set, 3, 160));
}

TEST(Cohort, MemoryIsFlatOverAThousandTrialsInOneSlot)
{
    if (own_allocator) GTEST_SKIP() << "a sanitizer's allocator";
    const auto set = small_set();
    Cohort cohort{set, 1};
    const auto in_use = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
    std::size_t settled = 0;
    for (std::int64_t trial = 0; trial < 1'000; ++trial) {
        cohort.advance({0, mixed_plan(trial), 60, {}});
        if (trial == 107) settled = in_use();
        if (trial > 107 && trial % 12 == 11) {  // plans come again after 12
            ASSERT_LE(in_use(), settled + 1'000) << trial;
        }
    }
}

}  // namespace
}  // namespace barsweep::agents
