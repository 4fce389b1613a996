#include "agents/ppo_learner.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "agents/bar_lanes.hpp"
#include "agents/failures.hpp"
#include "agents/ppo_learner_memory.hpp"
#include "agents/torch_script.hpp"
#include "counted_new.hpp"
#include "support.hpp"

namespace barsweep::agents {
namespace {

using Values = std::map<std::string, std::string>;

/// Rollouts of 24 steps in minibatches of 10, 10 and 4; episodes end in the middle of them.
PpoConfig config_of(const Values& more)
{
    Values values{{"hidden", "16 12"}, {"batch", "10"},  {"rollout", "6"},
                  {"epochs", "2"},     {"lanes", "4"},   {"episode", "15"},
                  {"anneal", "false"}, {"entropy", "0"}, {"learning_rate", "0.003"}};
    for (const auto& [key, value] : more) values[key] = value;
    const auto config = parse_ppo(values, "test");
    check_together(config, "test");
    return config;
}

/// Every option of the agent in one of them at least.
const std::map<std::string, Values>& variants()
{
    static const std::map<std::string, Values> all{
        {"plain", {}},
        {"norm_silu_anneal", {{"layer_norm", "true"}, {"activation", "silu"}, {"anneal", "true"}}},
        {"relu_entropy", {{"activation", "relu"}, {"entropy", "0.01"}, {"value_weight", "1"}}},
        {"clipped", {{"clip", "0.01"}, {"clip_value", "0.01"}}},
        {"raw_advantages", {{"normalise_advantage", "false"}, {"max_grad_norm", "0"}}},
        {"target_kl", {{"target_kl", "0.0001"}, {"epochs", "5"}}},
        {"long_lane", {{"lanes", "1"}, {"rollout", "24"}, {"gae_lambda", "0.5"}}},
    };
    return all;
}

const TrainingSet& bars_of_tests()
{
    static const TrainingSet set = small_set();
    return set;
}

/// A learner over bars, and its lanes.
struct Trial {
    BarLanes lanes;
    PpoLearner learner;

    explicit Trial(const PpoConfig& config, std::uint64_t key = 7)
        : lanes{bars_of_tests(),
                BarLanesPlan{
                    rules(), {}, config.observation, config.lanes, config.episode, {7, 0, 0}}},
          learner{lanes.lanes(), config, key, 480}
    {
    }

    static kernels::Rules rules()
    {
        kernels::Rules rules;
        rules.initial = 1'000'000'000'000;
        rules.rate_ppb = 100'000;
        return rules;
    }

    Trial& run_to(std::int64_t steps)
    {
        while (learner.steps() < steps) learner.step();
        return *this;
    }

    std::string bytes() const
    {
        std::string all;
        learner.save(all);
        return all;
    }
};

class EveryPpo : public testing::TestWithParam<std::string> {
protected:
    PpoConfig config() const { return config_of(variants().at(GetParam())); }
};

TEST_P(EveryPpo, GoingOnFromACheckpointAtAnyLockStepGivesTheBitsOfARunThatNeverStopped)
{
    std::map<std::int64_t, std::string> saved;
    Trial whole{config()};
    for (saved[0] = whole.bytes(); whole.learner.steps() < 72;) {
        whole.learner.step();
        saved[whole.learner.steps()] = whole.bytes();
    }
    for (const auto& [at, bytes] : saved) {
        Trial second{config(), 7};
        std::string_view rest{bytes};
        ASSERT_TRUE(second.learner.load(rest));
        EXPECT_TRUE(rest.empty());
        EXPECT_EQ(second.bytes(), bytes);
        EXPECT_TRUE(second.run_to(72).bytes() == saved.at(72)) << at;
    }
}

TEST_P(EveryPpo, EveryOptionChangesWhatIsLearned)
{
    if (GetParam() == "plain") GTEST_SKIP() << "what the others are compared with";
    Trial plain{config_of({})}, other{config()};
    EXPECT_NE(plain.run_to(240).bytes(), other.run_to(240).bytes());
    EXPECT_GT(other.learner.updates(), 9);
}

TEST_P(EveryPpo, AStepAllocatesNothing)
{
    if (own_allocator) GTEST_SKIP() << "a sanitizer's allocator";
    Trial trial{config()};
    trial.run_to(240);
    const auto calls = counted_new().calls;
    trial.run_to(312);
    EXPECT_EQ(counted_new().calls, calls);
}

TEST_P(EveryPpo, ALearnersBitsAreTheSameInAnyGroup)
{
    const std::string alone = Trial{config()}.run_to(120).bytes();
    for (const std::size_t together : {1, 3, 8}) {
        std::vector<std::unique_ptr<Trial>> trials;
        std::vector<PpoLearner*> group;
        for (const auto& [name, values] : variants()) {
            trials.push_back(std::make_unique<Trial>(config_of(values)));
            group.push_back(&trials.back()->learner);
        }
        Trial own{config()};
        group.insert(group.begin() + 2, &own.learner);
        while (own.learner.steps() < 120) PpoLearner::step(group, together);
        EXPECT_TRUE(own.bytes() == alone) << together;
    }
}

INSTANTIATE_TEST_SUITE_P(PpoLearner, EveryPpo, testing::ValuesIn([] {
                             std::vector<std::string> names;
                             for (const auto& [name, values] : variants()) names.push_back(name);
                             return names;
                         }()),
                         [](const auto& given) { return given.param; });

TEST(PpoLearner, UpdatesAreMinibatchesOfAllEpochsOnceARolloutIsWhole)
{
    Trial trial{config_of({})};
    trial.run_to(20);
    EXPECT_EQ(trial.learner.updates(), 0);
    trial.run_to(24);
    EXPECT_EQ(trial.learner.updates(), 6);
    trial.run_to(72);
    EXPECT_EQ(trial.learner.updates(), 18);
}

/// The first minibatch of a rollout meets the very policy that drew it: its divergence is exactly 0
/// whatever rows its passes had, and it alone is learned from where nothing may move.
TEST(PpoLearner, AnUpdateEndsWhereThePolicyHasMovedTooFar)
{
    Trial held{config_of({{"target_kl", "1e-12"}})}, free{config_of({{"target_kl", "1e9"}})};
    EXPECT_EQ(held.run_to(72).learner.updates(), 3);
    EXPECT_EQ(free.run_to(72).learner.updates(), 18);
}

TEST(PpoLearner, AnAnnealedRateMovesNothingAfterTheLastRung)
{
    Trial trial{config_of({{"anneal", "true"}})};
    const auto weights = [&] {
        const auto row = trial.learner.parameters();
        return std::vector<float>(row.data, row.data + row.size);
    };
    trial.run_to(456);
    const auto before = weights();
    trial.run_to(480);  // the rollout from 456 on
    const auto last = weights();
    EXPECT_NE(before, last);
    trial.run_to(504);
    EXPECT_EQ(weights(), last);
}

/// Values of a rollout, by their own returns: a lane that is never cut has returns of one chain.
TEST(PpoLearner, ReturnsOfLambdaOneFollowFromTheNextStepsAlone)
{
    Trial trial{config_of({{"gae_lambda", "1"}, {"gamma", "0.9"}, {"epochs", "1"}})};
    const auto lanes = trial.lanes.lanes();
    const PpoMemory& m = trial.learner.memory();
    int ends = 0;
    for (std::int64_t whole = 24; whole <= 240; whole += 24) {
        trial.run_to(whole);
        for (kernels::i64 slot = 0; slot + lanes.count < m.rollout.size; ++slot) {
            const auto& step = m.rollout[slot];
            EXPECT_NEAR(m.returns[slot], m.advantages[slot] + m.values[slot], 1e-5);
            ends += step.ended;
            if (step.ended != 0) continue;
            EXPECT_NEAR(m.returns[slot],
                        step.reward * lanes.reward_scale + 0.9 * m.returns[slot + lanes.count],
                        1e-5);
        }
    }
    EXPECT_GT(ends, 4);
}

TEST(PpoLearner, ALearnerThatFailsDoesNotTakeItsGroupAlong)
{
    Trial good{config_of({})}, wild{config_of({})}, stopped{config_of({})}, alone{config_of({})};
    auto lanes = stopped.lanes.lanes();
    const auto step = lanes.step;
    lanes.step = [&](auto actions, auto ring, auto accounts, std::int64_t slot) {
        if (stopped.learner.steps() == 100) throw std::overflow_error{"lane 3"};
        step(actions, ring, accounts, slot);
    };
    stopped.learner = PpoLearner{lanes, config_of({}), 7, 480};
    auto gain = wild.lanes.lanes();
    gain.reward_scale = 1e38;
    wild.learner = PpoLearner{gain, config_of({}), 7, 480};

    std::vector<PpoLearner*> group{&wild.learner, &good.learner, &stopped.learner};
    for (int i = 0; i < 50; ++i) PpoLearner::step(group, 8);
    EXPECT_EQ(good.bytes(), alone.run_to(200).bytes());
    EXPECT_EQ(good.learner.failure(), nullptr);
    EXPECT_EQ(stopped.learner.steps(), 100);
    EXPECT_THROW(std::rethrow_exception(stopped.learner.failure()), std::overflow_error);
    EXPECT_THROW(std::rethrow_exception(wild.learner.failure()), Diverged);
    EXPECT_THROW(wild.learner.step(), Diverged);
}

/// One rollout, so that both learn from the same draws.
TEST(PpoLearner, TheEngineLibtorchLearnsTheSameToFloatTolerance)
{
    if (!with_torch()) GTEST_SKIP() << "built without LibTorch";
    const Values values{{"layer_norm", "true"}, {"clip_value", "0.1"}, {"entropy", "0.01"}};
    auto other = values;
    other["engine"] = "libtorch";
    Trial fused{config_of(values)}, torch{config_of(other)};
    const auto a = fused.run_to(24).learner.memory().parameters;
    const auto b = torch.run_to(24).learner.memory().parameters;
    double most = 0;
    for (kernels::i64 i = 0; i < a.size; ++i) {
        most = std::max(most, std::abs(double{a[i]} - double{b[i]}));
    }
    EXPECT_LT(most, 2e-4);  // six updates, each of at most 0.003 a parameter
    EXPECT_GT(most, 0);
}

TEST(PpoLearner, WhatIsNotWholeIsNotLoaded)
{
    Trial trial{config_of({})};
    const std::string bytes = trial.run_to(120 + 8).bytes();
    for (std::size_t size = 0; size < bytes.size(); size += 97) {
        Trial other{config_of({})};
        std::string_view part{bytes.data(), size};
        EXPECT_FALSE(other.learner.load(part)) << size;
    }
}

}  // namespace
}  // namespace barsweep::agents
