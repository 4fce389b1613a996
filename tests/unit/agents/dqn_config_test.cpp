#include "agents/dqn_config.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace barsweep::agents {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

DqnConfig parse(const std::string& key, const std::string& value)
{
    return parse_dqn({{key, value}}, "job.ini");
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

std::string together(const std::map<std::string, std::string>& values)
{
    try {
        check_together(parse_dqn(values, "job.ini"), "job.ini");
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

TEST(DqnConfig, DefaultsOfTheTextsAreThoseOfTheStruct)
{
    std::map<std::string, std::string> all;
    for (const auto& key : dqn_keys()) all[key.name] = key.fallback;
    const DqnConfig a = parse_dqn(all, "job.ini");
    const DqnConfig b;
    EXPECT_EQ(a.hidden, b.hidden);
    EXPECT_EQ(std::tuple(a.learning_rate, a.gamma, a.batch, a.buffer, a.learning_starts,
                         a.update_every, a.target_every, a.tau, a.max_grad_norm),
              std::tuple(b.learning_rate, b.gamma, b.batch, b.buffer, b.learning_starts,
                         b.update_every, b.target_every, b.tau, b.max_grad_norm));
    EXPECT_EQ(std::tuple(a.activation, a.layer_norm, a.dueling, a.n_step, a.prioritised,
                         a.priority_exponent, a.priority_correction),
              std::tuple(b.activation, b.layer_norm, b.dueling, b.n_step, b.prioritised,
                         b.priority_exponent, b.priority_correction));
    EXPECT_EQ(std::tuple(a.distribution, a.atoms, a.value_lowest, a.value_highest, a.loss,
                         a.all_actions, a.engine),
              std::tuple(b.distribution, b.atoms, b.value_lowest, b.value_highest, b.loss,
                         b.all_actions, b.engine));
    EXPECT_EQ(std::tuple(a.epsilon_start, a.epsilon_end, a.exploration_fraction, a.double_q,
                         a.lanes, a.episode, a.observation),
              std::tuple(b.epsilon_start, b.epsilon_end, b.exploration_fraction, b.double_q,
                         b.lanes, b.episode, b.observation));
}

TEST(DqnConfig, ReadsWidthsByBlanksOrCommas)
{
    EXPECT_EQ(parse("hidden", "64,32").hidden, (std::vector<std::int32_t>{64, 32}));
    EXPECT_EQ(parse("hidden", "128").hidden, (std::vector<std::int32_t>{128}));
    EXPECT_EQ(parse("hidden", "1 2 3 4 5 6 7").hidden.size(), 7u);
}

TEST(DqnConfig, EveryKeyRefusesWhatIsOutOfItsRangeByName)
{
    const std::map<std::string, std::vector<std::string>> wrong{
        {"hidden", {"0", "4097", "64 x", "1 2 3 4 5 6 7 8", " "}},
        {"learning_rate", {"0", "1.5", "-1", "nan", "inf", "x"}},
        {"gamma", {"-0.1", "1.1", "nan"}},
        {"batch", {"0", "65537", "8.5"}},
        {"buffer", {"0", "1e6", "20000000000"}},
        {"learning_starts", {"-1", "x"}},
        {"update_every", {"0", "-4"}},
        {"target_every", {"-1"}},
        {"tau", {"-0.1", "1.01"}},
        {"max_grad_norm", {"-1", "nan"}},
        {"epsilon_start", {"1.1", "-0.1"}},
        {"epsilon_end", {"1.1", "-0.1"}},
        {"exploration_fraction", {"1.1", "-0.1"}},
        {"double_q", {"yes", "1"}},
        {"lanes", {"0", "65537"}},
        {"episode", {"0"}},
        {"observation", {"all"}},
        {"activation", {"sigmoid"}},
        {"layer_norm", {"1"}},
        {"dueling", {"on"}},
        {"n_step", {"0", "1001"}},
        {"prioritised", {"rank"}},
        {"priority_exponent", {"-0.1", "1.1"}},
        {"priority_correction", {"-0.1", "1.1", "nan"}},
        {"distribution", {"iqn"}},
        {"atoms", {"1", "257"}},
        {"value_lowest", {"-inf", "x"}},
        {"value_highest", {"2e9"}},
        {"loss", {"absolute"}},
        {"all_actions", {"2"}},
        {"engine", {"torch"}},
    };
    EXPECT_EQ(wrong.size(), dqn_keys().size());
    for (const auto& [key, values] : wrong) {
        for (const auto& value : values) {
            EXPECT_THAT(sentence(key, value), StartsWith("job.ini: expected agent." + key + " as"))
                << key << " = " << value;
        }
    }
    EXPECT_EQ(sentence("gamma", "2"),
              "job.ini: expected agent.gamma as a number from 0 to 1, found '2'. To fix: write for "
              "example agent.gamma = 0.99.");
}

TEST(DqnConfig, RefusesAReplaySmallerThanALockStepAndATargetThatNeverMoves)
{
    EXPECT_THAT(together({{"buffer", "15"}}), HasSubstr("at least agent.lanes, 16, found 15"));
    EXPECT_EQ(together({{"buffer", "15"}, {"lanes", "15"}}), "");
    EXPECT_THAT(together({{"target_every", "0"}}),
                HasSubstr("agent.target_every or agent.tau above 0"));
    EXPECT_EQ(together({{"target_every", "0"}, {"tau", "0.01"}}), "");
}

TEST(DqnConfig, RefusesStepsOfActionsNotTakenAndASupportWithoutWidth)
{
    EXPECT_THAT(together({{"all_actions", "true"}, {"n_step", "3"}}),
                HasSubstr("agent.n_step of 1 where agent.all_actions is true, found 3"));
    EXPECT_EQ(together({{"all_actions", "true"}}), "");
    const std::map<std::string, std::string> narrow{{"value_lowest", "2"}, {"value_highest", "2"}};
    EXPECT_EQ(together(narrow), "");
    auto c51 = narrow;
    c51["distribution"] = "c51";
    EXPECT_THAT(together(c51),
                HasSubstr("agent.value_lowest below agent.value_highest, found 2 and 2"));
}

TEST(DqnConfig, TheNetworksFormFollowsTheHead)
{
    const auto config = parse_dqn({{"hidden", "64 32"},
                                   {"dueling", "true"},
                                   {"distribution", "quantile"},
                                   {"atoms", "20"},
                                   {"activation", "tanh"},
                                   {"layer_norm", "true"}},
                                  "job.ini");
    const auto shape = dqn_shape(config, 54, 5);
    EXPECT_EQ(shape.layers, 3);
    EXPECT_EQ(shape.inputs(), 54);
    EXPECT_EQ(shape.outputs(), 6 * 20);
    EXPECT_EQ(shape.activation, kernels::Activation::tanh);
    EXPECT_TRUE(shape.layer_norm);
    EXPECT_EQ(dqn_head(config, 5).outputs(), shape.outputs());
    EXPECT_EQ(dqn_shape({}, 54, 5).outputs(), 5);
}

TEST(Correction, RisesLinearlyToOneByTheLastRung)
{
    const DqnConfig config;
    EXPECT_DOUBLE_EQ(correction_at(config, 0, 1'000), 0.4);
    EXPECT_DOUBLE_EQ(correction_at(config, 500, 1'000), 0.7);
    EXPECT_DOUBLE_EQ(correction_at(config, 1'000, 1'000), 1);
    EXPECT_DOUBLE_EQ(correction_at(config, 5'000, 1'000), 1);
    EXPECT_DOUBLE_EQ(correction_at(config, 0, 0), 1);
}

TEST(Epsilon, FallsLinearlyAndThenStands)
{
    DqnConfig config;  // 1 to 0.05 over half of 1,000 steps
    EXPECT_DOUBLE_EQ(epsilon_at(config, 0, 1'000), 1);
    EXPECT_DOUBLE_EQ(epsilon_at(config, 250, 1'000), 0.525);
    EXPECT_DOUBLE_EQ(epsilon_at(config, 500, 1'000), 0.05);
    EXPECT_DOUBLE_EQ(epsilon_at(config, 5'000, 1'000), 0.05);
    config.exploration_fraction = 0;
    EXPECT_DOUBLE_EQ(epsilon_at(config, 0, 1'000), 1);
    EXPECT_DOUBLE_EQ(epsilon_at(config, 1, 1'000), 0.05);
}

TEST(Epsilon, IsThatOfCaseD14)
{
    const char* given = std::getenv("BARSWEEP_SHARED");
    const std::filesystem::path shared = given ? given : BARSWEEP_SOURCE_DIR "/../shared";
    std::ifstream file{shared / "cases/D14/case.json"};
    if (!file) GTEST_SKIP() << "the shared cases aren't on this machine (BARSWEEP_SHARED)";

    const auto json = nlohmann::json::parse(file);
    const auto& input = json["input"];
    DqnConfig config;
    config.epsilon_start = input["start"];
    config.epsilon_end = input["end"];
    config.exploration_fraction = input["fraction"];
    for (const auto& [step, value] : json["expected"]["eps"].items()) {
        EXPECT_NEAR(epsilon_at(config, std::stol(step), input["total_steps"]), value, 1e-12)
            << step;
    }
    config.exploration_fraction = input["short_run"]["fraction"];
    for (const std::int64_t step : {0, 1, 2}) {
        const double epsilon = epsilon_at(config, step, input["short_run"]["total_steps"]);
        EXPECT_TRUE(epsilon >= 0.05 && epsilon <= 1) << epsilon;
    }
}

}  // namespace
}  // namespace barsweep::agents
