#include "kernels/sum_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

static_assert(replay_purpose == static_cast<u32>(Purpose::replay_picks));
static_assert(sum_tree_size(1) == 2);
static_assert(sum_tree_size(5) == 16);
static_assert(sum_tree_size(8) == 16);

std::vector<u64> tree_of(const std::vector<u64>& priorities)
{
    std::vector<u64> tree(
        static_cast<std::size_t>(sum_tree_size(static_cast<i64>(priorities.size()))));
    i64 slot = 0;
    for (const u64 priority : priorities) set_priority(view(tree), slot++, priority);
    return tree;
}

// 3, 1, 4, 1, 5: points 0-2, 3, 4-7, 8, 9-13.
TEST(SumTree, AHandWorkedOneFindsEachPoint)
{
    const auto tree = tree_of({3, 1, 4, 1, 5});
    EXPECT_EQ(tree[1], 14u);
    const std::vector<i64> expected{0, 0, 0, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 4};
    for (u64 point = 0; point < 14; ++point) {
        EXPECT_EQ(slot_at(view(tree), point), expected[point]) << point;
    }
}

TEST(SumTree, ItsSumsAreExactAfterAnyChanges)
{
    RandomStream random{3, Purpose::synthetic_bars};
    std::vector<u64> priorities(37);
    auto tree = tree_of(priorities);
    for (int n = 0; n < 5'000; ++n) {
        const auto slot = random.below(37);
        priorities[slot] = random.next_u64() >> (random.below(40) + 10);
        set_priority(view(tree), static_cast<i64>(slot), priorities[slot]);
    }
    EXPECT_EQ(tree[1], std::accumulate(priorities.begin(), priorities.end(), u64{0}));
    EXPECT_EQ(tree, tree_of(priorities));
}

TEST(SumTree, APriorityIsThePapersAndNeverNothing)
{
    EXPECT_EQ(whole_priority(0.5, 0.6, 1 << 10),
              static_cast<u64>(std::pow(0.5 + 1e-6, 0.6) * 0x1p20));
    EXPECT_EQ(whole_priority(3.0, 0, 1 << 10), u64{1} << 20);
    EXPECT_EQ(whole_priority(0, 1, 1 << 10), 1u);
    EXPECT_EQ(whole_priority(1e30, 1, 1 << 10), u64{1} << 53);  // 2^9 of them stay below 2^63
    EXPECT_EQ(whole_priority(std::nan(""), 1, 1 << 10), u64{1} << 53);
}

struct Draws {
    std::vector<i64> picks;
    std::vector<u64> drawn;
};

Draws draws(const std::vector<u64>& tree, i64 filled, i64 batch, u64 number)
{
    const auto size = static_cast<std::size_t>(batch);
    Draws d{std::vector<i64>(size), std::vector<u64>(size)};
    const DrawArgs args{view(tree), filled,        0x123456789abcdef,
                        number,     view(d.picks), view(d.drawn)};
    for (i64 i = 0; i < batch; ++i) draw_one(args, i);
    return d;
}

/// Sum of (seen - expected)^2 / expected.
double chi_square(const std::vector<double>& seen, const std::vector<double>& shares)
{
    const double total = std::accumulate(seen.begin(), seen.end(), 0.0);
    double sum = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const double expected = shares[i] * total;
        sum += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    return sum;
}

// Stratified draws vary less than independent ones do, so the quantile of those is a bound; whether
// the shares are right is seen by a bound far below what a wrong one gives. 7 degrees of freedom,
// quantile 0.999.
TEST(Draw, SharesAreThePrioritiesByChiSquare)
{
    const std::vector<u64> priorities{1000, 1, 250, 4000, 77, 310, 9, 2500};
    const auto tree = tree_of(priorities);
    std::vector<double> seen(8), shares;
    for (const u64 p : priorities) {
        shares.push_back(static_cast<double>(p) / static_cast<double>(tree[1]));
    }
    for (u64 number = 0; number < 20'000; ++number) {
        for (const i64 pick : draws(tree, 8, 5, number).picks) {
            ++seen[static_cast<std::size_t>(pick)];
        }
    }
    EXPECT_LT(chi_square(seen, shares), 24.322);
    std::swap(shares[0], shares[2]);
    EXPECT_GT(chi_square(seen, shares), 1'000);
}

TEST(Draw, WithoutATreeAllSlotsFilledComeAlike)
{
    std::vector<double> seen(8);
    for (u64 number = 0; number < 20'000; ++number) {
        for (const i64 pick : draws({}, 8, 5, number).picks) {
            ++seen[static_cast<std::size_t>(pick)];
        }
    }
    EXPECT_LT(chi_square(seen, std::vector<double>(8, 0.125)), 24.322);
}

TEST(Draw, OneComesFromEachPartOfTheSum)
{
    const auto tree = tree_of(std::vector<u64>(64, 10));
    for (u64 number = 0; number < 100; ++number) {
        const auto picks = draws(tree, 64, 16, number).picks;
        for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(picks[i] / 4, static_cast<i64>(i));
    }
}

TEST(Weigh, TheRarestCountsOneAndTheOthersByTheirShare)
{
    const std::vector<u64> drawn{400, 100, 1600};
    std::vector<float> weights(3);
    const WeighArgs args{view(drawn), 0.5, view(weights)};
    for (i64 i = 0; i < 3; ++i) weigh_one(args, i);
    EXPECT_FLOAT_EQ(weights[0], 0.5f);
    EXPECT_FLOAT_EQ(weights[1], 1);
    EXPECT_FLOAT_EQ(weights[2], 0.25f);
}

TEST(Prioritise, WhatIsNewGetsTheLargestSoFarAndWhatWasSeenItsError)
{
    std::vector<u64> tree(static_cast<std::size_t>(sum_tree_size(5))), largest{u64{1} << 20};
    prioritise_one({view(tree), view(largest), {}, {}, 1, 3, 4, 5});  // slots 3, 4, 0, 1
    for (const i64 slot : {3, 4, 0, 1})
        EXPECT_EQ(priority_at(view(std::as_const(tree)), slot), u64{1} << 20);
    EXPECT_EQ(priority_at(view(std::as_const(tree)), 2), 0u);

    const std::vector<i64> picks{4, 0, 4};
    const std::vector<float> errors{2.5f, 0.25f, 2.5f};
    prioritise_one({view(tree), view(largest), view(picks), view(errors), 1, 0, 0, 5});
    EXPECT_EQ(priority_at(view(std::as_const(tree)), 4), whole_priority(2.5, 1, 16));
    EXPECT_EQ(priority_at(view(std::as_const(tree)), 0), whole_priority(0.25, 1, 16));
    EXPECT_EQ(largest[0], whole_priority(2.5, 1, 16));
    EXPECT_EQ(tree[1],
              2 * (u64{1} << 20) + whole_priority(2.5, 1, 16) + whole_priority(0.25, 1, 16));
}

}  // namespace
}  // namespace barsweep::kernels
