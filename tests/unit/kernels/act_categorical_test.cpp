#include "kernels/act_categorical.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

constexpr u64 key = 0x123456789abcdef0;

static_assert(act_by_chance_purpose == static_cast<u32>(Purpose::act_by_chance));

struct Acts {
    std::vector<i8> actions;
    std::vector<float> log_chance;
};

Acts acts(const std::vector<float>& logits, i32 levels, u64 step)
{
    const auto rows = logits.size() / static_cast<std::size_t>(levels);
    Acts drawn{std::vector<i8>(rows), std::vector<float>(rows)};
    const ActCategoricalArgs args{{logits.data(), levels}, levels, key, step, view(drawn.actions),
                                  view(drawn.log_chance)};
    for (i64 i = 0; i < args.actions.size; ++i) act_categorical_one(args, i);
    return drawn;
}

TEST(ActCategorical, TakesTheLevelThatTheWordFallsOn)
{
    // Two levels of one half each: the word's highest bit decides.
    for (u64 step = 0; step < 64; ++step) {
        RandomStream random{key, Purpose::act_by_chance, static_cast<u32>(step), 0};
        const auto drawn = acts({2, 2}, 2, step);
        EXPECT_EQ(drawn.actions[0], static_cast<i8>(random.next_u64() >> 63));
        EXPECT_FLOAT_EQ(drawn.log_chance[0], std::log(0.5f));
    }
}

TEST(ActCategorical, ALevelFarBelowIsNeverTakenAndOneFarAboveAlways)
{
    for (u64 step = 0; step < 200; ++step) {
        const auto drawn = acts({-200, 0, 300, -200}, 4, step);
        EXPECT_EQ(drawn.actions[0], 2);
        EXPECT_EQ(drawn.log_chance[0], 0);
    }
}

TEST(ActCategorical, ANetworkThatDivergedStillGivesALevel)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (u64 step = 0; step < 20; ++step) {
        const auto drawn = acts({nan, 0, 1, 0, nan, nan, nan, nan, nan}, 3, step);
        for (const auto action : drawn.actions) EXPECT_TRUE(action >= 0 && action < 3);
    }
}

TEST(ActCategorical, ARowsActionDependsOnNoOtherRow)
{
    const auto logits = random_floats(3, 16 * 5);
    const auto all = acts(logits, 5, 1ULL << 40);
    auto others = logits;
    for (std::size_t i = 0; i + 5 < others.size(); ++i) others[i] = -others[i];
    EXPECT_EQ(acts(others, 5, 1ULL << 40).actions.back(), all.actions.back());
    EXPECT_NE(acts(logits, 5, 16).actions, acts(logits, 5, 32).actions);
    EXPECT_NE(acts(logits, 5, 16).actions, acts(logits, 5, 16 + (1ULL << 32)).actions);
}

/// Chi-square of 80,000 draws; 4 degrees of freedom, the critical value at 0.001.
TEST(ActCategorical, DrawsByTheSoftmaxOfTheLogits)
{
    const std::vector<float> row{0.5f, -1, 2, 0, -3};
    std::array<double, 5> shares{}, counts{};
    double sum = 0, total = 0, chi_square = 0;
    for (std::size_t i = 0; i < 5; ++i) sum += shares.at(i) = std::exp(double{row[i]});
    std::vector<float> logits;
    for (int lane = 0; lane < 4; ++lane) logits.insert(logits.end(), row.begin(), row.end());
    for (u64 step = 0; step < 20'000; ++step) {
        const auto drawn = acts(logits, 5, 4 * step);
        for (std::size_t i = 0; i < 4; ++i) {
            const auto action = static_cast<std::size_t>(drawn.actions[i]);
            ++counts.at(action);
            ++total;
            ASSERT_NEAR(drawn.log_chance[i], std::log(shares.at(action) / sum), 1e-5);
        }
    }
    for (std::size_t i = 0; i < 5; ++i) {
        const double expected = shares.at(i) / sum * total;
        chi_square += (counts.at(i) - expected) * (counts.at(i) - expected) / expected;
    }
    EXPECT_LT(chi_square, 18.47);
}

}  // namespace
}  // namespace barsweep::kernels
