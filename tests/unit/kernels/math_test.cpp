#include "kernels/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace barsweep::kernels {
namespace {

static_assert(log_of(1.0) == 0);
static_assert(log_of(0x1p10) > 6.93147180559945 && log_of(0x1p10) < 6.93147180559946);
static_assert(square_root(9.0) == 3);

/// |log_of(x) - log x| in units of the last place; the reference has 64 bits of mantissa.
double ulps(double x)
{
    const long double exact = std::log(static_cast<long double>(x));
    const double size = static_cast<double>(std::fabs(exact));
    const double ulp = std::nextafter(size, INFINITY) - size;
    return static_cast<double>(std::fabs(log_of(x) - exact) / ulp);
}

TEST(Logarithm, IsWithinOneUlpOverTheWholeRange)
{
    RandomStream random{1, Purpose::synthetic_bars};
    for (int i = 0; i < 200'000; ++i) {
        const double anywhere = std::exp2((random.uniform() - 0.5) * 2'040);
        ASSERT_LT(ulps(anywhere), 1) << anywhere;
        const double near_one = 1 + (random.uniform() - 0.5) * std::exp2(-(i % 40));
        if (near_one != 1) {
            ASSERT_LT(ulps(near_one), 1) << near_one;
        }
    }
}

TEST(Logarithm, HoldsAtItsSeamsAndForSubnormals)
{
    for (const double x :
         {0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bcdp+0, 0x1.fffffffffffffp-1, 0x1.0000000000001p+0,
          0x1p-1022, 0x1p-1074, 0x1.8p-1040, std::numeric_limits<double>::max()}) {
        EXPECT_LT(ulps(x), 1) << x;
    }
}

static_assert(exp_of(0.0f) == 1 && exp_of(0.0) == 1);

TEST(Exponential, IsWithinOneUlpOfARoundedExactOne)
{
    for (float x = -86.9f; x < 88.3f; x += 0.0137f) {
        const double exact = std::exp(double{x});
        ASSERT_NEAR(exp_of(x) / exact, 1, 0x1p-23) << x;
    }
    for (double x = -707; x < 709; x += 0.0137) {
        const long double exact = std::exp(static_cast<long double>(x));
        ASSERT_NEAR(static_cast<double>(exp_of(x) / exact), 1, 0x1p-52) << x;
    }
}

TEST(Exponential, EndsInZeroAndInfinityAndKeepsNotANumber)
{
    const float infinite = std::numeric_limits<float>::infinity();
    EXPECT_EQ(exp_of(89.0f), infinite);
    EXPECT_EQ(exp_of(infinite), infinite);
    EXPECT_EQ(exp_of(-infinite), 0);
    EXPECT_EQ(exp_of(-110.0f), 0);
    EXPECT_TRUE(std::isnan(exp_of(std::nanf(""))));
    EXPECT_EQ(exp_of(710.0), double{infinite});
    EXPECT_EQ(exp_of(-double{infinite}), 0);
    EXPECT_TRUE(std::isnan(exp_of(std::nan(""))));
}

TEST(Power, IsThatOfTheLibraryAlmost)
{
    for (const double base : {1e-6, 0.3, 1.0, 7.5, 4e4}) {
        for (const double exponent : {0.0, 0.4, 0.6, 1.0, -1.0}) {
            EXPECT_NEAR(power_of(base, exponent) / std::pow(base, exponent), 1, 1e-14);
        }
    }
}

}  // namespace
}  // namespace barsweep::kernels
