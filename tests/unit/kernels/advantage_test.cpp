#include "kernels/advantage.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

struct Judged {
    std::vector<float> advantages, returns;
};

/// `next`: values of steps' own last observations, where they are needed.
Judged judge(const std::vector<Transition>& rollout, i64 lanes, const std::vector<float>& values,
             std::vector<float> next, float gamma, float lambda, float scale = 1)
{
    std::vector<float> returns(values.size());
    const AdvantageArgs args{view(rollout), lanes,        gamma,      lambda,
                             scale,         view(values), view(next), view(returns)};
    for (i64 lane = 0; lane < lanes; ++lane) advantage_one(args, lane);
    return {next, returns};
}

Transition step_of(float reward, bool terminated = false, bool ended = false)
{
    Transition step;
    step.reward = reward;
    step.terminated = terminated;
    step.ended = terminated || ended;
    return step;
}

constexpr float none = 1e30f;  // must not be read

TEST(Advantage, ByHandWithATerminationATruncationAndARolloutsEnd)
{
    // gamma 0.5, lambda 0.5. From the back: step 5 bootstraps from 8 beyond the rollout, step 3
    // ends by ruin, step 1 is cut and bootstraps from 4.
    const std::vector<Transition> rollout{
        step_of(1), step_of(2, false, true), step_of(3), step_of(4, true), step_of(5), step_of(6)};
    const auto got =
        judge(rollout, 1, {1, 2, 3, 4, 5, 6}, {none, 4, none, none, none, 8}, 0.5f, 0.5f);
    // 5: 6 + 4 - 6 = 4;  4: 5 + 3 - 5 + 4/4 = 4;  3: 4 - 4 = 0;  2: 3 + 2 - 3 + 0/4 = 2
    // 1: 2 + 2 - 2 = 2;  0: 1 + 1 - 1 + 2/4 = 1.5
    EXPECT_EQ(got.advantages, (std::vector<float>{1.5f, 2, 2, 0, 4, 4}));
    EXPECT_EQ(got.returns, (std::vector<float>{2.5f, 4, 5, 4, 9, 10}));
}

TEST(Advantage, WithLambdaOneAReturnIsTheDiscountedSum)
{
    const std::vector<Transition> rollout{step_of(1), step_of(2), step_of(3, true)};
    const auto got = judge(rollout, 1, {9, -7, 3}, {none, none, none}, 0.5f, 1);
    EXPECT_EQ(got.returns, (std::vector<float>{1 + 1 + 0.75f, 2 + 1.5f, 3}));
}

TEST(Advantage, WithLambdaZeroItIsOneStepsError)
{
    const std::vector<Transition> rollout{step_of(1), step_of(2)};
    const auto got = judge(rollout, 1, {4, 6}, {none, 2}, 0.5f, 0, 10);
    EXPECT_EQ(got.advantages, (std::vector<float>{10 + 3 - 4, 20 + 1 - 6}));
}

TEST(Advantage, ALanesNumbersDependOnNoOtherLane)
{
    const auto values = random_floats(1, 5 * 3), next = random_floats(2, 5 * 3);
    std::vector<Transition> rollout;
    for (std::size_t i = 0; i < values.size(); ++i) {
        rollout.push_back(step_of(values[i] + next[i], i == 4, i == 7));
    }
    const auto all = judge(rollout, 3, values, next, 0.9f, 0.8f);
    for (std::size_t lane = 0; lane < 3; ++lane) {
        std::vector<Transition> own;
        std::vector<float> own_values, own_next, expected;
        for (std::size_t i = lane; i < values.size(); i += 3) {
            own.push_back(rollout[i]);
            own_values.push_back(values[i]);
            own_next.push_back(next[i]);
            expected.push_back(all.advantages[i]);
        }
        EXPECT_EQ(bits(judge(own, 1, own_values, own_next, 0.9f, 0.8f).advantages), bits(expected));
    }
}

TEST(Advantage, IsThatOfCaseD10)
{
    const char* given = std::getenv("BARSWEEP_SHARED");
    const std::filesystem::path shared = given ? given : BARSWEEP_SOURCE_DIR "/../shared";
    std::ifstream file{shared / "cases/D10/case.json"}, rows{shared / "cases/D10/rollout.json"};
    if (!file || !rows) GTEST_SKIP() << "the shared cases aren't on this machine (BARSWEEP_SHARED)";

    const auto expected = nlohmann::json::parse(file)["expected"];
    const auto input = nlohmann::json::parse(rows);
    const auto values = input["values"].get<std::vector<float>>();
    std::vector<Transition> rollout;
    std::vector<float> next(values.size(), none);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool cut = input["truncated"][i] == 1;
        rollout.push_back(step_of(input["rewards"][i], input["terminated"][i] == 1, cut));
        if (cut) next[i] = input["value_of_final_observation_at_truncation"];
    }
    const auto got = judge(rollout, 1, values, next, input["gamma"], input["lam"]);
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(got.advantages[i], expected["advantages"][i], 1e-6);
        EXPECT_NEAR(got.returns[i], expected["returns"][i], 1e-6);
    }
}

}  // namespace
}  // namespace barsweep::kernels
