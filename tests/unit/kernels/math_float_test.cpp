#include "kernels/math_float.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace barsweep::kernels {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

static_assert(exp_of(0.0f) == 1 && log_of(1.0f) == 0 && tanh_of(0.0f) == 0);
static_assert(sigmoid_of(0.0f) == 0.5f && fused(3.0f, 4.0f, 5.0f) == 17);

/// |ours - exact| in units of the last place of a float of that size, subnormal ones included.
double ulps(float ours, double exact)
{
    if (ours == static_cast<float>(exact)) return 0;
    const auto near = static_cast<float>(std::fabs(exact));
    const double ulp = double{std::nextafter(near, infinite)} - near;
    return std::fabs(ours - exact) / ulp;
}

/// The largest error over numbers of every exponent from 2^lowest to 2^highest, both signs where
/// `negative`.
template <class Ours, class Exact>
double worst(Ours ours, Exact exact, double lowest, double highest, bool negative = true)
{
    RandomStream random{3, Purpose::synthetic_bars};
    double most = 0;
    for (int i = 0; i < 400'000; ++i) {
        const double size = std::exp2(lowest + (highest - lowest) * random.uniform());
        const auto x = static_cast<float>(negative && i % 2 == 1 ? -size : size);
        most = std::max(most, ulps(ours(x), exact(double{x})));
    }
    return most;
}

TEST(FloatMath, IsAsNearAsItSays)
{
    const auto exp = [](double x) { return std::exp(x); };
    const auto log = [](double x) { return std::log(x); };
    const auto tanh = [](double x) { return std::tanh(x); };
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    EXPECT_LT(worst([](float x) { return exp_of(x); }, exp, -40, 6.45), 1.5);
    EXPECT_LT(worst([](float x) { return log_of(x); }, log, -149, 128, false), 1);
    EXPECT_LT(worst([](float x) { return log_of(x); }, log, -0.6, 0.6, false), 1);
    EXPECT_LT(worst(tanh_of, tanh, -149, 5), 2.5);
    EXPECT_LT(worst(sigmoid_of, sigmoid, -40, 6.44), 2.5);
    EXPECT_LT(worst(
                  reciprocal, [](double x) { return 1 / x; }, -126, 126, false),
              2);
}

TEST(FloatMath, EndsWhereFloatsEnd)
{
    EXPECT_EQ(exp_of(88.8f), infinite);
    EXPECT_EQ(exp_of(infinite), infinite);
    EXPECT_EQ(exp_of(-104.0f), 0);
    EXPECT_EQ(exp_of(-infinite), 0);
    EXPECT_EQ(exp_of(-103.2f), 0x1p-149f);
    EXPECT_EQ(log_of(0.0f), -infinite);
    EXPECT_EQ(log_of(-0.0f), -infinite);
    EXPECT_EQ(log_of(infinite), infinite);
    EXPECT_TRUE(std::isnan(log_of(-1.0f)));
    EXPECT_TRUE(std::isnan(log_of(-infinite)));
    EXPECT_EQ(tanh_of(infinite), 1);
    EXPECT_EQ(tanh_of(-infinite), -1);
    EXPECT_EQ(tanh_of(-20.0f), -1);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(tanh_of(-0.0f)), 0x80000000u);
    EXPECT_EQ(tanh_of(0x1p-149f), 0x1p-149f);
    EXPECT_EQ(sigmoid_of(infinite), 1);
    EXPECT_EQ(sigmoid_of(-infinite), 0);
    EXPECT_EQ(square_root(0x1p-140f), 0x1p-70f);
}

TEST(FloatMath, KeepsNotANumber)
{
    const float none = std::nanf("");
    for (const float y : {exp_of(none), log_of(none), tanh_of(none), sigmoid_of(none)}) {
        EXPECT_TRUE(std::isnan(y));
    }
    EXPECT_FALSE(std::isfinite(reciprocal(none)));
    EXPECT_FALSE(std::isfinite(reciprocal(infinite)));
}

}  // namespace
}  // namespace barsweep::kernels
