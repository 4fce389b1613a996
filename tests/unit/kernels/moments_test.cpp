#include "kernels/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace barsweep::kernels {
namespace {

std::vector<double> random_returns(std::size_t count, std::uint64_t seed)
{
    RandomStream random{seed, Purpose::synthetic_bars};
    std::vector<double> returns(count);
    for (auto& r : returns) r = (random.uniform() + random.uniform() - 1 + 0.01) * 1e-3;
    return returns;
}

std::vector<Moments> leaves_of(std::vector<double> returns)
{
    std::vector<Moments> leaves;
    returns.resize(returns.size() + leaf_bars);  // room for the padding of the last
    const auto count = static_cast<int>(returns.size()) - leaf_bars;
    for (int i = 0; i < count; i += leaf_bars) {
        leaves.push_back(leaf_moments(returns.data() + i, std::min(leaf_bars, count - i)));
    }
    return leaves;
}

Moments tree_of(const std::vector<Moments>& leaves)
{
    MomentTree tree;
    for (const auto& leaf : leaves) tree.push(leaf);
    return tree.total();
}

/// The tree by its definition: split at the largest power of two below the count.
Moments tree_by_halves(const Moments* leaves, std::size_t count)
{
    if (count == 1) return *leaves;
    std::size_t left = 1;
    while (2 * left < count) left *= 2;
    return merge(tree_by_halves(leaves, left), tree_by_halves(leaves + left, count - left));
}

bool same_bits(const Moments& a, const Moments& b)
{
    return a.count == b.count && a.mean == b.mean && a.m2 == b.m2 && a.m3 == b.m3 && a.m4 == b.m4 &&
           a.downside == b.downside;
}

TEST(Moments, OfFourReturnsWorkedByHand)
{
    double returns[leaf_bars] = {1, -2, 3, 6};  // mean 2; deviations -1, -4, 1, 4
    const auto m = leaf_moments(returns, 4);
    EXPECT_EQ(m.mean, 2);
    EXPECT_EQ(m.m2, 34);
    EXPECT_EQ(m.m3, 0);
    EXPECT_EQ(m.m4, 514);
    EXPECT_EQ(m.downside, 4);
}

TEST(Moments, AgreeWithTwoPlainPasses)
{
    for (const std::size_t count : {1u, 7u, 255u, 256u, 257u, 1'000u, 10'000u}) {
        const auto returns = random_returns(count, count);
        const auto m = tree_of(leaves_of(returns));
        long double mean = 0, m2 = 0, m3 = 0, m4 = 0, downside = 0;
        for (const double r : returns) mean += r;
        mean /= static_cast<long double>(count);
        for (const double r : returns) {
            const long double d = r - mean;
            m2 += d * d, m3 += d * d * d, m4 += d * d * d * d;
            if (r < 0) downside += static_cast<long double>(r) * r;
        }
        const double n = static_cast<double>(count);
        const double sigma = std::sqrt(static_cast<double>(m2) / n);
        EXPECT_EQ(m.count, static_cast<i64>(count));
        EXPECT_NEAR(m.mean, static_cast<double>(mean), 1e-15 * 1e-3);
        EXPECT_NEAR(m.m2, static_cast<double>(m2), 1e-12 * static_cast<double>(m2));
        EXPECT_NEAR(m.m3, static_cast<double>(m3), 1e-12 * n * std::pow(sigma, 3));
        EXPECT_NEAR(m.m4, static_cast<double>(m4), 1e-12 * n * std::pow(sigma, 4));
        EXPECT_NEAR(m.downside, static_cast<double>(downside), 1e-12 * static_cast<double>(m2));
    }
}

TEST(Moments, MergeInOneFixedTreeByIndex)
{
    const auto leaves = leaves_of(random_returns(40 * leaf_bars + 17, 3));
    for (std::size_t count = 1; count <= leaves.size(); ++count) {
        const std::vector<Moments> some(leaves.begin(),
                                        leaves.begin() + static_cast<std::ptrdiff_t>(count));
        EXPECT_TRUE(same_bits(tree_of(some), tree_by_halves(some.data(), count))) << count;
    }
}

TEST(Moments, NothingIsTheNeutralElement)
{
    const auto leaf = leaves_of(random_returns(100, 4)).front();
    EXPECT_TRUE(same_bits(merge(leaf, Moments{}), leaf));
    EXPECT_TRUE(same_bits(merge(Moments{}, leaf), leaf));
    EXPECT_EQ(MomentTree{}.total().count, 0);
}

TEST(Moments, OfConstantReturnsHaveNoSpread)
{
    const auto m = tree_of(leaves_of(std::vector<double>(5'000, 1e-3)));
    EXPECT_LT(std::sqrt(m.m2 / 4'999), 1e-15);
}

}  // namespace
}  // namespace barsweep::kernels
