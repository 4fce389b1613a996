#include "agents/cohort.hpp"

#include <gmock/gmock.h>
#include <malloc.h>
#include <sys/resource.h>

#include <thread>

#include "agents/checkpoint.hpp"
#include "support.hpp"

namespace barsweep::agents {
namespace {

/// Trials of all shapes side by side.
LearnerPlan mixed_plan(std::int64_t trial)
{
    static const std::vector<std::vector<std::int32_t>> widths{{16, 12}, {7}, {33, 20, 9}, {64}};
    auto plan = small_plan(trial);
    plan.config.hidden = widths[static_cast<std::size_t>(trial % 4)];
    plan.config.batch = 4 + 9 * (trial % 3);
    plan.config.update_every = 2 + trial % 3;
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
            cohort.advance(slot, plan, 80, {});
            const auto& learner = cohort.advance(slot, plan, 240, {});
            EXPECT_EQ(bytes_of(learner), alone(set, trial, 240)) << slots << " " << trial;
        }
    }
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
                    cohort.advance(slot, mixed_plan(static_cast<std::int64_t>(slot)), steps, {}));
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
    bad.config.learning_rate = 1;
    bad.config.max_grad_norm = 0;
    bad.reward.barrier_weight = 1e38;
    cohort.advance(0, mixed_plan(0), 80, {});
    EXPECT_THROW(cohort.advance(1, bad, 2'000, {}), Diverged);
    EXPECT_EQ(bytes_of(cohort.advance(0, mixed_plan(0), 240, {})), alone(set, 0, 240));
    EXPECT_EQ(bytes_of(cohort.advance(1, mixed_plan(5), 240, {})), alone(set, 5, 240));
}

TEST(Cohort, OneThatFindsNoMemoryLeavesItsNeighboursAlone)
{
    if (own_allocator) GTEST_SKIP() << "a sanitizer's allocator";
    const auto set = small_set();
    Cohort cohort{set, 2};
    auto greedy = mixed_plan(1);
    greedy.config.buffer = 10'000'000'000'000;
    cohort.advance(0, mixed_plan(0), 80, {});
    EXPECT_THROW(cohort.advance(1, greedy, 2'000, {}), OutOfMemory);
    EXPECT_EQ(bytes_of(cohort.advance(0, mixed_plan(0), 240, {})), alone(set, 0, 240));
}

TEST(Cohort, GoesOnFromItsCheckpointInAnotherCohort)
{
    const auto set = small_set();
    const Folder folder;
    const auto path = folder / "3.ckpt";
    Cohort{set, 2}.advance(1, mixed_plan(3), 120, path);
    EXPECT_TRUE(std::filesystem::exists(path));
    Cohort second{set, 1};
    // Only the steps that are missing are made: this stop would end a trial begun anew at 4.
    int asked = 0;
    second.advance(0, mixed_plan(3), 240, path, [&] { return ++asked > 30; });
    EXPECT_EQ(asked, 30);
    EXPECT_EQ(bytes_of(second.advance(0, mixed_plan(3), 240, path)), alone(set, 3, 240));
}

TEST(Cohort, AStopSavesWhereItStands)
{
    const auto set = small_set();
    const Folder folder;
    const auto path = folder / "3.ckpt";
    Cohort cohort{set, 1};
    int asked = 0;
    const auto& learner = cohort.advance(0, mixed_plan(3), 240, path, [&] { return ++asked > 10; });
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
    cohort.advance(0, mixed_plan(3), 240, path, [&] {
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
    std::ofstream{path} << "barsweep dqn checkpoint 1\nnonsense";
    Cohort cohort{set, 1};
    EXPECT_EQ(bytes_of(cohort.advance(0, mixed_plan(3), 120, path)), alone(set, 3, 120));
    EXPECT_EQ(bytes_of(cohort.advance(0, mixed_plan(3), 80, path)), alone(set, 3, 80));
    EXPECT_EQ(bytes_of(cohort.advance(0, mixed_plan(3), 160, "/nowhere/3.ckpt")),
              alone(set, 3, 160));
}

TEST(Cohort, MemoryIsFlatOverManyRefills)
{
    if (own_allocator) GTEST_SKIP() << "a sanitizer's allocator";
    const auto set = small_set();
    Cohort cohort{set, 2};
    const auto in_use = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
    std::size_t settled = 0;
    for (std::int64_t trial = 0; trial < 600; ++trial) {
        cohort.advance(static_cast<std::size_t>(trial % 2), small_plan(trial), 60, {});
        if (trial == 199) settled = in_use();  // by then LibTorch has what it keeps
    }
    EXPECT_LT(in_use(), settled + 20'000);  // bytes; a learner takes some 40,000
}

}  // namespace
}  // namespace barsweep::agents
