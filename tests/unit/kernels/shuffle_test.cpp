#include "kernels/shuffle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

static_assert(shuffle_purpose == static_cast<u32>(Purpose::minibatches));

std::vector<i32> shuffled(std::size_t size, u64 key, u64 rollout, u32 epoch)
{
    std::vector<i32> order(size);
    shuffle_one({key, rollout, epoch, view(order)});
    return order;
}

TEST(Shuffle, IsAPermutationThatItsKeysTell)
{
    const auto order = shuffled(1'000, 7, 3, 2);
    auto sorted = order;
    std::ranges::sort(sorted);
    std::vector<i32> all(1'000);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(sorted, all);
    EXPECT_EQ(order, shuffled(1'000, 7, 3, 2));
    for (const auto& other : {shuffled(1'000, 8, 3, 2), shuffled(1'000, 7, 4, 2),
                              shuffled(1'000, 7, 3, 1), shuffled(1'000, 7, 3 + (1UL << 32), 2)}) {
        EXPECT_NE(order, other);
    }
    EXPECT_EQ(shuffled(1, 7, 3, 2), (std::vector<i32>{0}));
}

/// Chi-square of 24,000 permutations of four; 23 degrees of freedom, the critical value at 0.001.
TEST(Shuffle, EveryPermutationIsEquallyLikely)
{
    std::map<std::vector<i32>, double> counts;
    for (u64 rollout = 0; rollout < 2'400; ++rollout) {
        for (u32 epoch = 0; epoch < 10; ++epoch) ++counts[shuffled(4, 5, rollout, epoch)];
    }
    ASSERT_EQ(counts.size(), 24u);
    double chi_square = 0;
    for (const auto& [order, count] : counts) {
        chi_square += (count - 1'000) * (count - 1'000) / 1'000;
    }
    EXPECT_LT(chi_square, 49.73);
}

}  // namespace
}  // namespace barsweep::kernels
