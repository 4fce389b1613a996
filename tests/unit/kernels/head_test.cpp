#include "kernels/head.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

constexpr float plain[] = {1, 4, -2};
static_assert(level_value({3}, plain, 1) == 4);
static_assert(greedy_level({3}, plain) == 1);

// V = 10, advantages 1, 4, -2 of mean 1: values 10, 13, 7.
constexpr float dueling[] = {10, 1, 4, -2};
constexpr Head dueling_head{3, true};
static_assert(dueling_head.outputs() == 4);
static_assert(greedy_level(dueling_head, dueling) == 1);

TEST(Head, DuelingTakesTheMeanOff)
{
    EXPECT_FLOAT_EQ(level_value(dueling_head, dueling, 0), 10);
    EXPECT_FLOAT_EQ(level_value(dueling_head, dueling, 1), 13);
    EXPECT_FLOAT_EQ(level_value(dueling_head, dueling, 2), 7);
}

TEST(Head, GreedyIsTheFirstOfTheLargest)
{
    const float tied[] = {-1, 3, 2, 3};
    EXPECT_EQ(greedy_level({4}, tied), 1);
}

TEST(Head, AQuantilesValueIsTheirMean)
{
    const Head head{2, false, Distribution::quantile, 3};
    const float outputs[] = {1, 2, 6, 4, 4, 4};
    EXPECT_FLOAT_EQ(level_value(head, outputs, 0), 3);
    EXPECT_FLOAT_EQ(level_value(head, outputs, 1), 4);
    EXPECT_EQ(greedy_level(head, outputs), 1);
}

// Atoms -1, 0, 1. Logits of 0.2, 0.3, 0.5: 0.3; equal logits: 0.
TEST(Head, AC51ValueIsTheMeanOverItsSupport)
{
    const Head head{2, false, Distribution::c51, 3, -1, 1};
    const float outputs[] = {5, 5, 5, std::log(0.2f) + 7, std::log(0.3f) + 7, std::log(0.5f) + 7};
    EXPECT_NEAR(level_value(head, outputs, 0), 0, 1e-6);
    EXPECT_NEAR(level_value(head, outputs, 1), 0.3, 1e-6);
    EXPECT_EQ(greedy_level(head, outputs), 1);
}

// Two levels of two atoms: logits v + a - mean of a, atom by atom.
TEST(Head, ADuelingDistributionIsCombinedAtomByAtom)
{
    const Head head{2, true, Distribution::quantile, 2};
    const float outputs[] = {10, 20, 1, 4, 3, 8};  // v, level 0, level 1: means 2, 6
    float numbers[2];
    level_numbers(head, outputs, 0, numbers);
    EXPECT_FLOAT_EQ(numbers[0], 9);
    EXPECT_FLOAT_EQ(numbers[1], 18);
    level_numbers(head, outputs, 1, numbers);
    EXPECT_FLOAT_EQ(numbers[0], 11);
    EXPECT_FLOAT_EQ(numbers[1], 22);
}

TEST(Probabilities, SumToOneAndTellTheirLogs)
{
    const auto logits = random_floats(4, 51);
    float p[51];
    const float log_sum = probabilities_of(logits.data(), 51, p);
    double sum = 0;
    for (std::size_t i = 0; i < 51; ++i) {
        sum += double{p[i]};
        EXPECT_NEAR(std::log(p[i]), logits[i] - log_sum, 1e-5);
    }
    EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(Probabilities, HugeLogitsDoNotOverflow)
{
    const float logits[] = {1e30f, -1e30f, 1e30f};
    float p[3];
    probabilities_of(logits, 3, p);
    EXPECT_EQ(p[0], 0.5f);
    EXPECT_EQ(p[1], 0);
}

}  // namespace
}  // namespace barsweep::kernels
