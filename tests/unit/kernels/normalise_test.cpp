#include "kernels/normalise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

std::vector<float> scaling(const std::vector<float>& row, const std::vector<i32>& picks)
{
    std::vector<float> out(2);
    normalise_one({view(row), view(picks), view(out)});
    return out;
}

TEST(Normalise, MeanAndDeviationOfWhatWasPicked)
{
    // 2, 4, 9: mean 5, sum of squares 9 + 1 + 16, over 2: 13.
    const auto got = scaling({2, 100, 4, -50, 9}, {4, 0, 2});
    EXPECT_EQ(got[0], 5);
    EXPECT_FLOAT_EQ(got[1], 1 / std::sqrt(13.0f));
}

TEST(Normalise, ALoneNumberStaysAsItIsAndEqualOnesAreFinite)
{
    EXPECT_EQ(scaling({7, 3}, {0}), (std::vector<float>{0, 1}));
    EXPECT_EQ(scaling({3, 3}, {0, 1}), (std::vector<float>{3, 1e8f}));
}

}  // namespace
}  // namespace barsweep::kernels
