#include "agents/checkpoint.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "base/random.hpp"
#include "support.hpp"

namespace barsweep::agents {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Of PPO also in the middle of a rollout, of 24 steps here.
TEST(Checkpoint, GoingOnFromAnyPointGivesTheBitsOfARunThatNeverStopped)
{
    const auto set = small_set();
    const Folder folder;
    const auto path = folder / "trial.ckpt";
    for (const auto& plan : small_plans()) {
        Learner straight{set, plan};
        const auto wanted = bytes_of(run_to(straight, 800));

        RandomStream draws{1, Purpose::replay_picks};
        for (int round = 0; round < 5; ++round) {
            auto learner = std::make_unique<Learner>(set, plan);
            while (learner->steps() < 800) {
                const auto stretch = static_cast<std::int64_t>(4 + draws.below(300));
                run_to(*learner, std::min<std::int64_t>(800, learner->steps() + stretch));
                save_checkpoint(path, *learner);
                const auto saved = bytes_of(*learner);
                learner = std::make_unique<Learner>(set, plan);
                load_checkpoint(path, *learner);
                ASSERT_EQ(bytes_of(*learner), saved);
            }
            ASSERT_EQ(bytes_of(*learner), wanted);
        }
    }
}

TEST(Checkpoint, LoadsOverALearnerThatHasGoneElsewhere)
{
    const auto set = small_set();
    const Folder folder;
    for (const auto& plan : small_plans()) {
        Learner learner{set, plan};
        save_checkpoint(folder / "c", run_to(learner, 132));
        const auto saved = bytes_of(learner);
        run_to(learner, 600);
        load_checkpoint(folder / "c", learner);
        EXPECT_EQ(bytes_of(learner), saved);
        EXPECT_EQ(learner.steps(), 132);
    }
}

struct Refusal {
    std::string sentence, before, after;
};

Refusal load_bytes(const std::string& bytes, const LearnerPlan& plan)
{
    const auto set = small_set();
    const Folder folder;
    std::ofstream{folder / "bad.ckpt", std::ios::binary} << bytes;
    Learner learner{set, plan};
    Refusal refusal;
    refusal.before = bytes_of(run_to(learner, 40));
    try {
        load_checkpoint(folder / "bad.ckpt", learner);
    } catch (const UserError& error) {
        refusal.sentence = error.what();
        EXPECT_THAT(refusal.sentence, StartsWith((folder / "bad.ckpt").string() + ": expected "));
    }
    refusal.after = bytes_of(learner);
    return refusal;
}

TEST(Checkpoint, AnyDamagedByteIsRefusedByNameAndChangesNothing)
{
    const auto set = small_set();
    for (const auto& plan : {small_plan(), small_ppo_plan()}) {
        Learner learner{set, plan};
        const auto good = bytes_of(run_to(learner, 120));
        EXPECT_EQ(load_bytes(good, plan).sentence, "");
        for (const std::size_t at :
             {std::size_t{3}, std::size_t{100}, good.size() / 2, good.size() - 1}) {
            auto bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 4);
            const auto refusal = load_bytes(bad, plan);
            EXPECT_THAT(refusal.sentence, HasSubstr("To fix: ")) << at;
            EXPECT_EQ(refusal.before, refusal.after) << at;
        }
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{10}, good.size() / 3, good.size() - 1}) {
            const auto refusal = load_bytes(good.substr(0, size), plan);
            EXPECT_THAT(refusal.sentence, HasSubstr("To fix: ")) << size;
            EXPECT_EQ(refusal.before, refusal.after) << size;
        }
    }
}

TEST(Checkpoint, ThatOfAnotherTrialIsRefused)
{
    const auto set = small_set();
    Learner learner{set, small_plan(1)};
    const auto bytes = bytes_of(run_to(learner, 40));
    EXPECT_THAT(load_bytes(bytes, small_plan(2)).sentence,
                HasSubstr("a checkpoint of this trial on these bars, found one of another"));
    auto plan = small_plan(1);
    dqn(plan).gamma = 0.98;
    EXPECT_THAT(load_bytes(bytes, plan).sentence, HasSubstr("found one of another"));
    plan = small_plan(1);
    plan.rules.levels_ppm[1] = -250'000;
    EXPECT_THAT(load_bytes(bytes, plan).sentence, HasSubstr("found one of another"));
    EXPECT_EQ(load_bytes(bytes, small_plan(1)).sentence, "");
    EXPECT_THAT(load_bytes(bytes, small_ppo_plan(1)).sentence, HasSubstr("found one of another"));
}

TEST(Checkpoint, AMissingFileIsToldByItsName)
{
    const auto set = small_set();
    Learner learner{set, small_plan()};
    try {
        load_checkpoint("/nowhere/trial.ckpt", learner);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(),
                    StartsWith("/nowhere/trial.ckpt: expected a file that can be read"));
    }
}

}  // namespace
}  // namespace barsweep::agents
