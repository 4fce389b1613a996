#include "agents/ppo_config.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"

namespace barsweep::agents {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

PpoConfig parse(const std::string& key, const std::string& value)
{
    return parse_ppo({{key, value}}, "job.ini");
}

std::string sentence(const std::string& key, const std::string& value)
{
    try {
        parse(key, value);
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

TEST(PpoConfig, DefaultsOfTheTextsAreThoseOfTheStruct)
{
    std::map<std::string, std::string> all;
    for (const auto& key : ppo_keys()) all[key.name] = key.fallback;
    const PpoConfig a = parse_ppo(all, "job.ini");
    const PpoConfig b;
    EXPECT_EQ(a.hidden, b.hidden);
    EXPECT_EQ(std::tuple(a.activation, a.layer_norm, a.learning_rate, a.anneal, a.gamma,
                         a.gae_lambda, a.clip, a.clip_value, a.entropy, a.value_weight),
              std::tuple(b.activation, b.layer_norm, b.learning_rate, b.anneal, b.gamma,
                         b.gae_lambda, b.clip, b.clip_value, b.entropy, b.value_weight));
    EXPECT_EQ(std::tuple(a.rollout, a.batch, a.epochs, a.normalise_advantage, a.target_kl,
                         a.max_grad_norm, a.lanes, a.episode, a.observation, a.engine),
              std::tuple(b.rollout, b.batch, b.epochs, b.normalise_advantage, b.target_kl,
                         b.max_grad_norm, b.lanes, b.episode, b.observation, b.engine));
}

TEST(PpoConfig, EveryKeyIsReadIntoItsOwnField)
{
    const PpoConfig c = parse_ppo(
        {{"hidden", "64,32"},   {"activation", "silu"},   {"layer_norm", "true"},
         {"anneal", "false"},   {"learning_rate", "0.1"}, {"gamma", "0.5"},
         {"gae_lambda", "0.6"}, {"clip", "0.1"},          {"clip_value", "0.3"},
         {"entropy", "0.01"},   {"value_weight", "0.25"}, {"rollout", "7"},
         {"batch", "8"},        {"epochs", "3"},          {"normalise_advantage", "false"},
         {"target_kl", "0.02"}, {"max_grad_norm", "2"},   {"lanes", "5"},
         {"episode", "100"},    {"observation", "three"}, {"engine", "libtorch"}},
        "job.ini");
    EXPECT_EQ(c.hidden, (std::vector<std::int32_t>{64, 32}));
    EXPECT_EQ(
        std::tuple(c.activation, c.layer_norm, c.learning_rate, c.anneal, c.gamma, c.gae_lambda,
                   c.clip, c.clip_value, c.entropy, c.value_weight),
        std::tuple(kernels::Activation::silu, true, 0.1, false, 0.5, 0.6, 0.1, 0.3, 0.01, 0.25));
    EXPECT_EQ(
        std::tuple(c.rollout, c.batch, c.epochs, c.normalise_advantage, c.target_kl,
                   c.max_grad_norm, c.lanes, c.episode, c.observation, c.engine),
        std::tuple(7, 8, 3, false, 0.02, 2, 5, 100, kernels::AccountView::three, Engine::libtorch));
}

TEST(PpoConfig, EveryKeyRefusesWhatIsOutOfItsRangeByName)
{
    const std::map<std::string, std::vector<std::string>> wrong{
        {"hidden", {"0", "4097", "64 x", "1 2 3 4 5 6 7 8", " "}},
        {"activation", {"sigmoid"}},
        {"layer_norm", {"yes"}},
        {"learning_rate", {"0", "1.5", "-1", "nan", "inf", "x"}},
        {"anneal", {"1"}},
        {"gamma", {"-0.1", "1.1", "nan"}},
        {"gae_lambda", {"-0.1", "1.1", "nan"}},
        {"clip", {"0", "1.1", "nan"}},
        {"clip_value", {"-1", "nan"}},
        {"entropy", {"-0.1", "nan"}},
        {"value_weight", {"-0.1", "nan"}},
        {"rollout", {"0", "1000001", "2.5"}},
        {"batch", {"0", "65537", "8.5"}},
        {"epochs", {"0", "1001"}},
        {"normalise_advantage", {"no"}},
        {"target_kl", {"-1", "nan"}},
        {"max_grad_norm", {"-1", "nan"}},
        {"lanes", {"0", "65537"}},
        {"episode", {"0"}},
        {"observation", {"all"}},
        {"engine", {"torch"}},
    };
    EXPECT_EQ(wrong.size(), ppo_keys().size());
    for (const auto& [key, values] : wrong) {
        for (const auto& value : values) {
            EXPECT_THAT(sentence(key, value), StartsWith("job.ini: expected agent." + key + " as"))
                << key << " = " << value;
        }
    }
    EXPECT_EQ(sentence("clip", "2"),
              "job.ini: expected agent.clip as a number above 0, up to 1, found '2'. To fix: write "
              "for example agent.clip = 0.2.");
}

TEST(PpoConfig, RefusesABatchBeyondItsRollout)
{
    PpoConfig config;
    config.lanes = 4;
    config.rollout = 8;
    config.batch = 33;
    try {
        check_together(config, "job.ini");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("at most agent.lanes times agent.rollout, 32, found 33"));
    }
    config.batch = 32;
    EXPECT_NO_THROW(check_together(config, "job.ini"));
}

TEST(PpoLearningRate, FallsLinearlyToNothingAtTheLastRung)
{
    PpoConfig config;
    config.learning_rate = 0.5;
    EXPECT_EQ(learning_rate_at(config, 0, 1'000), 0.5);
    EXPECT_EQ(learning_rate_at(config, 250, 1'000), 0.375);
    EXPECT_EQ(learning_rate_at(config, 1'000, 1'000), 0);
    EXPECT_EQ(learning_rate_at(config, 2'000, 1'000), 0);
    EXPECT_EQ(learning_rate_at(config, 0, 0), 0);
    config.anneal = false;
    EXPECT_EQ(learning_rate_at(config, 2'000, 1'000), 0.5);
}

TEST(PpoNetworks, AnActorHasALogitALevelAndACriticOneOutput)
{
    PpoConfig config;
    config.hidden = {7, 9};
    const auto actor = actor_shape(config, 54, 5), critic = critic_shape(config, 54);
    EXPECT_EQ(std::vector(actor.sizes, actor.sizes + 4), (std::vector<std::int32_t>{54, 7, 9, 5}));
    EXPECT_EQ(std::vector(critic.sizes, critic.sizes + 4),
              (std::vector<std::int32_t>{54, 7, 9, 1}));
    EXPECT_EQ(ppo_head(5).outputs(), 5);
}

}  // namespace
}  // namespace barsweep::agents
