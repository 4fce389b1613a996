#include "agents/dqn_learner.hpp"

#include <gmock/gmock.h>

#include <map>
#include <stdexcept>

#include "agents/bar_lanes.hpp"
#include "agents/bytes.hpp"
#include "agents/dqn_learner_memory.hpp"
#include "agents/failures.hpp"
#include "base/error.hpp"
#include "counted_new.hpp"
#include "support.hpp"

namespace barsweep::agents {
namespace {

using Values = std::map<std::string, std::string>;

DqnConfig config_of(const Values& more)
{
    Values values{{"hidden", "16 12"},       {"batch", "8"}, {"buffer", "100"},
                  {"learning_starts", "32"}, {"lanes", "4"}, {"episode", "30"},
                  {"target_every", "40"},    {"tau", "0"}};
    for (const auto& [key, value] : more) values[key] = value;
    const auto config = parse_dqn(values, "test");
    check_together(config, "test");
    return config;
}

/// Every option of the agent in one of them at least.
const std::map<std::string, Values>& variants()
{
    static const std::map<std::string, Values> all{
        {"plain", {}},
        {"not_double_polyak", {{"double_q", "false"}, {"tau", "0.05"}, {"loss", "squared"}}},
        {"n_step_prioritised", {{"n_step", "5"}, {"prioritised", "true"}, {"update_every", "3"}}},
        {"dueling_norm_silu",
         {{"dueling", "true"}, {"layer_norm", "true"}, {"activation", "silu"}}},
        {"c51_dueling", {{"distribution", "c51"}, {"atoms", "11"}, {"dueling", "true"}}},
        {"quantile_tanh",
         {{"distribution", "quantile"}, {"atoms", "7"}, {"activation", "tanh"}, {"n_step", "2"}}},
        {"all_actions", {{"all_actions", "true"}, {"max_grad_norm", "0"}}},
        {"all_actions_all",
         {{"all_actions", "true"},
          {"prioritised", "true"},
          {"distribution", "c51"},
          {"atoms", "11"},
          {"dueling", "true"}}},
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
    DqnLearner learner;

    explicit Trial(const DqnConfig& config, std::uint64_t key = 7)
        : lanes{bars_of_tests(),
                BarLanesPlan{
                    rules(), {}, config.observation, config.lanes, config.episode, {7, 0, 0}}},
          learner{lanes.lanes(), config, key, 2'000}
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

class EveryVariant : public testing::TestWithParam<std::string> {
protected:
    DqnConfig config() const { return config_of(variants().at(GetParam())); }
};

TEST_P(EveryVariant, GoingOnFromACheckpointGivesTheBitsOfARunThatNeverStopped)
{
    for (const std::int64_t at : {16, 60, 200}) {  // before learning, before and after the seam
        Trial whole{config()};
        const std::string saved = whole.run_to(at).bytes();
        const std::string end = whole.run_to(400).bytes();
        Trial second{config(), 7};
        std::string_view rest{saved};
        ASSERT_TRUE(second.learner.load(rest));
        EXPECT_TRUE(rest.empty());
        EXPECT_EQ(second.bytes(), saved);
        EXPECT_TRUE(second.run_to(400).bytes() == end) << at;
    }
}

TEST_P(EveryVariant, EveryOptionChangesWhatIsLearned)
{
    if (GetParam() == "plain") GTEST_SKIP() << "what the others are compared with";
    Trial plain{config_of({})}, other{config()};
    EXPECT_NE(plain.run_to(400).bytes(), other.run_to(400).bytes());
    EXPECT_GT(other.learner.updates(), 80);
}

TEST_P(EveryVariant, AStepAllocatesNothing)
{
    if (own_allocator) GTEST_SKIP() << "a sanitizer's allocator";
    Trial trial{config()};
    trial.run_to(600);
    const auto calls = counted_new().calls;
    trial.run_to(680);  // fewer steps than make a pass over the window: episodes grow then
    EXPECT_EQ(counted_new().calls, calls);
}

TEST_P(EveryVariant, ItsBytesAreThoseOfAllItsParts)
{
    Trial trial{config()};
    const auto& m = trial.learner.memory();
    const auto said = dqn_bytes(config(), trial.lanes.lanes());
    EXPECT_EQ(m.bytes, said);
    const auto last = m.accounts.size != 0
                          ? reinterpret_cast<const char*>(m.accounts.data + m.accounts.size)
                          : reinterpret_cast<const char*>(m.ring.data + m.ring.size);
    const auto used = last - reinterpret_cast<const char*>(m.online.data);
    EXPECT_LE(used, said);
    EXPECT_GT(used + 64, said);
}

TEST(DqnLearner, ALearnersBitsAreTheSameInAnyGroup)
{
    std::map<std::string, std::string> alone;
    for (const auto& [name, values] : variants()) {
        alone[name] = Trial{config_of(values)}.run_to(200).bytes();
    }
    for (const std::size_t together : {1, 3, 8}) {
        std::vector<std::unique_ptr<Trial>> trials;
        std::vector<DqnLearner*> group;
        for (const auto& [name, values] : variants()) {
            trials.push_back(std::make_unique<Trial>(config_of(values)));
            group.push_back(&trials.back()->learner);
        }
        while (group.front()->steps() < 200) DqnLearner::step(group, together);
        auto trial = trials.begin();
        for (const auto& [name, bytes] : alone) {
            EXPECT_TRUE((*trial++)->bytes() == bytes) << name << " " << together;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(DqnLearner, EveryVariant, testing::ValuesIn([] {
                             std::vector<std::string> names;
                             for (const auto& [name, values] : variants()) names.push_back(name);
                             return names;
                         }()),
                         [](const auto& given) { return given.param; });

TEST(DqnLearner, ALearnerThatFailsDoesNotTakeItsGroupAlong)
{
    Trial good{config_of({})}, wild{config_of({{"learning_rate", "1"}, {"max_grad_norm", "0"}})},
        stopped{config_of({})}, alone{config_of({})};
    auto lanes = stopped.lanes.lanes();
    const auto step = lanes.step;
    lanes.step = [&](auto actions, auto ring, auto accounts, std::int64_t slot) {
        if (stopped.learner.steps() == 100) throw std::overflow_error{"lane 3"};
        step(actions, ring, accounts, slot);
    };
    stopped.learner = DqnLearner{lanes, config_of({}), 7, 2'000};
    auto gain = wild.lanes.lanes();
    gain.reward_scale = 1e38;
    wild.learner = DqnLearner{gain, config_of({{"loss", "squared"}}), 7, 2'000};

    std::vector<DqnLearner*> group{&wild.learner, &good.learner, &stopped.learner};
    for (int i = 0; i < 50; ++i) DqnLearner::step(group, 8);
    EXPECT_EQ(good.bytes(), alone.run_to(200).bytes());
    EXPECT_EQ(good.learner.failure(), nullptr);
    EXPECT_EQ(stopped.learner.steps(), 100);
    EXPECT_THROW(std::rethrow_exception(stopped.learner.failure()), std::overflow_error);
    EXPECT_THROW(std::rethrow_exception(wild.learner.failure()), Diverged);
    EXPECT_THROW(wild.learner.step(), Diverged);
}

TEST(DqnLearner, WhatIsNotWholeIsNotLoaded)
{
    Trial trial{config_of({{"prioritised", "true"}})};
    const std::string bytes = trial.run_to(120).bytes();
    for (std::size_t size = 0; size < bytes.size(); size += 97) {
        Trial other{config_of({{"prioritised", "true"}})};
        std::string_view part{bytes.data(), size};
        EXPECT_FALSE(other.learner.load(part)) << size;
    }
}

TEST(DqnLearner, AllActionsAsksForAMarketThatTellsThem)
{
    Trial trial{config_of({})};
    auto lanes = trial.lanes.lanes();
    lanes.counterfactual = nullptr;
    EXPECT_THROW((DqnLearner{lanes, config_of({{"all_actions", "true"}}), 7, 2'000}), UserError);
}

}  // namespace
}  // namespace barsweep::agents
