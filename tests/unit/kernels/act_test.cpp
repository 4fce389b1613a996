#include "kernels/act.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

constexpr u64 key = 0x123456789abcdef0;

static_assert(explore_purpose == static_cast<u32>(Purpose::explore));

std::vector<i8> acts(const std::vector<float>& values, i32 levels, double epsilon, u64 step)
{
    std::vector<i8> actions(values.size() / static_cast<std::size_t>(levels));
    const ActArgs args{{values.data(), levels}, Head{levels}, epsilon, key, step, view(actions)};
    for (i64 i = 0; i < args.actions.size; ++i) act_one(args, i);
    return actions;
}

/// The stream that row `row` of step `step` draws from.
RandomStream stream(u64 step, int row)
{
    RandomStream random{key, Purpose::explore, static_cast<u32>(step),
                        static_cast<u32>(step >> 32)};
    for (int word = 0; word < 4 * row; ++word) random.next_u32();
    return random;
}

TEST(Act, WithoutExplorationItIsTheFirstOfTheLargest)
{
    EXPECT_EQ(acts({0, 1, 1, 5, 5, 5, -3, -2, -1}, 3, 0, 9), (std::vector<i8>{1, 0, 2}));
}

TEST(Act, EpsilonIsComparedExactly)
{
    for (u64 step = 0; step < 50; ++step) {
        auto random = stream(step, 1);
        const double chance = random.uniform();
        const auto level = static_cast<i8>(random.next_u64() >> 63);
        const std::vector<float> values{0, 0, level == 0 ? 0.0f : 1.0f, level == 0 ? 1.0f : 0.0f};
        EXPECT_EQ(acts(values, 2, chance, step)[1], 1 - level);
        EXPECT_EQ(acts(values, 2, std::nextafter(chance, 1.0), step)[1], level);
    }
}

TEST(Act, ARowsActionDependsOnNoOtherRow)
{
    const auto values = random_floats(3, 16 * 5);
    const auto all = acts(values, 5, 0.5, 1ULL << 40);
    auto others = values;
    for (std::size_t i = 0; i + 5 < others.size(); ++i) others[i] = -others[i];
    EXPECT_EQ(acts(others, 5, 0.5, 1ULL << 40).back(), all.back());
    EXPECT_NE(acts(values, 5, 0.5, 16), acts(values, 5, 0.5, 32));
}

/// Chi-square of levels drawn over 20,000 steps of 4 rows against their probabilities; 4 degrees of
/// freedom, the critical value at 0.001.
void expect_shares(double epsilon, const std::array<double, 5>& shares)
{
    const std::vector<float> values{0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    std::array<double, 5> counts{};
    double total = 0;
    for (u64 step = 0; step < 20'000; ++step) {
        for (const auto action : acts(values, 5, epsilon, 4 * step)) {
            ++counts.at(static_cast<std::size_t>(action));
            ++total;
        }
    }
    double chi_square = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        const double expected = shares.at(i) * total;
        chi_square += (counts.at(i) - expected) * (counts.at(i) - expected) / expected;
    }
    EXPECT_LT(chi_square, 18.467);
}

TEST(Act, LevelsComeUniformlyWhereAllIsExploration)
{
    expect_shares(1, {0.2, 0.2, 0.2, 0.2, 0.2});
}

TEST(Act, TheGreedyLevelGetsWhatExplorationLeaves)
{
    expect_shares(0.3, {0.06, 0.06, 0.76, 0.06, 0.06});
}

}  // namespace
}  // namespace barsweep::kernels
