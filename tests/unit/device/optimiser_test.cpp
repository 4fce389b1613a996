#include <gtest/gtest.h>

#include <cmath>

#include "../kernels/support.hpp"
#include "device/launch.hpp"

namespace barsweep::device {
namespace {

using kernels::i64;
using kernels::view;

constexpr auto cpu = Backend::cpu;

struct Optimised {
    std::vector<float> p, m, v, g;
    double square = 0;
    kernels::i32 finite = 1;

    explicit Optimised(i64 size)
        : p{kernels::random_floats(1, size)},
          m{kernels::random_floats(2, size)},
          v{kernels::random_floats(3, size)},
          g{kernels::random_floats(4, size)}
    {
        for (auto& x : v) x = x * x;
    }

    kernels::AdamArgs args()
    {
        return {.parameters = view(p),
                .first = view(m),
                .second = view(v),
                .gradient = view(std::as_const(g)),
                .square = {&square, 1},
                .learning_rate = 0.01,
                .number = 3,
                .finite = {&finite, 1}};
    }
};

TEST(Adam, FirstStepIsTheLearningRateAgainstTheSign)
{
    Optimised o{3};
    o.p = {1, 1, 1}, o.m = {0, 0, 0}, o.v = {0, 0, 0}, o.g = {2, -0.5f, 0};
    auto args = o.args();
    args.number = 1;
    adam(cpu, {&args, 1});
    EXPECT_NEAR(o.p[0], 0.99, 3e-7);
    EXPECT_NEAR(o.p[1], 1.01, 3e-7);
    EXPECT_EQ(o.p[2], 1);
    EXPECT_NEAR(o.m[0], 0.2, 1e-7);
    EXPECT_NEAR(o.v[0], 0.004, 1e-9);
    EXPECT_EQ(o.finite, 1);
}

/// Algorithm 1 of the paper in double, with the gradient scaled down to a norm.
TEST(Adam, FollowsThePaper)
{
    for (const double max_norm : {0.0, 0.5}) {
        Optimised o{1'000};
        const auto before = o;
        for (const float g : o.g) o.square += double{g} * g;
        auto args = o.args();
        args.max_norm = max_norm;
        adam(cpu, {&args, 1});
        const double scale = max_norm == 0 ? 1 : max_norm / (std::sqrt(o.square) + 1e-6);
        for (std::size_t i = 0; i < o.p.size(); ++i) {
            const double g = before.g[i] * scale;
            const double m = 0.9 * before.m[i] + 0.1 * g;
            const double v = 0.999 * before.v[i] + 0.001 * g * g;
            const double step = 0.01 * (m / (1 - std::pow(0.9, 3))) /
                                (std::sqrt(v / (1 - std::pow(0.999, 3))) + 1e-8);
            EXPECT_NEAR(o.m[i], m, 2e-7);
            EXPECT_NEAR(o.v[i], v, 2e-7);
            EXPECT_NEAR(o.p[i], before.p[i] - step, 1e-7 + 1e-6 * std::abs(step)) << i;
        }
    }
}

TEST(Adam, TellsOfAParameterThatIsNotFinite)
{
    for (const float bad : {INFINITY, -INFINITY, NAN, 3e38f}) {
        Optimised o{40};
        o.g[37] = bad;
        const auto args = o.args();
        adam(cpu, {&args, 1});
        EXPECT_EQ(o.finite, 0) << bad;
    }
}

TEST(Adam, TellsOfANormThatIsNotFinite)
{
    for (const double square : {double{INFINITY}, double{NAN}}) {
        Optimised o{40};
        o.square = square;
        auto args = o.args();
        args.max_norm = 1;
        adam(cpu, {&args, 1});
        EXPECT_EQ(o.finite, 0) << square;
    }
}

/// A dead unit: its parameter stays.
TEST(Adam, MomentsWithoutGradientNeverBecomeSubnormal)
{
    Optimised o{1};
    o.g[0] = 0, o.m[0] = 1e-3f, o.v[0] = 1e-6f;
    for (i64 number = 1; number <= 200'000; ++number) {
        auto args = o.args();
        args.number = number;
        adam(cpu, {&args, 1});
        ASSERT_TRUE(o.m[0] == 0 || std::isnormal(o.m[0])) << number;
        ASSERT_TRUE(std::isnormal(o.v[0])) << number;
    }
    EXPECT_LT(std::abs(o.m[0]), 1e-23f);  // a few steps of the rounding
    EXPECT_EQ(o.v[0], kernels::least_second);
    const float stays = o.p[0];
    auto args = o.args();
    adam(cpu, {&args, 1});
    EXPECT_EQ(o.p[0], stays);
}

/// Whatever the vectors: `adam_one` here is built without any but the plain ones.
TEST(Optimiser, HasTheBitsOfOneParameterAfterAnother)
{
    Optimised wide{1'003}, plain{1'003};
    for (auto* o : {&wide, &plain}) {
        o->v[5] = 0x1p-140f, o->v[6] = 0, o->g[6] = 0, o->g[7] = 0x1p-130f, o->g[8] = 1e30f;
    }
    const auto args = wide.args();
    adam(cpu, {&args, 1});
    const auto plain_args = plain.args();
    const auto rates = adam_rates(plain_args);
    for (i64 i = 0; i < 1'003; ++i) adam_one(plain_args, rates, i);
    EXPECT_EQ(kernels::bits(wide.p), kernels::bits(plain.p));
    EXPECT_EQ(kernels::bits(wide.m), kernels::bits(plain.m));
    EXPECT_EQ(kernels::bits(wide.v), kernels::bits(plain.v));

    const kernels::BlendArgs blended{view(wide.p), view(std::as_const(wide.g)), 0.3f};
    const kernels::BlendArgs blended_plainly{view(plain.p), view(std::as_const(plain.g)), 0.3f};
    blend(cpu, {&blended, 1});
    for (i64 i = 0; i < 1'003; ++i) blend_one(blended_plainly, i);
    EXPECT_EQ(kernels::bits(wide.p), kernels::bits(plain.p));
}

TEST(Blend, GoesTheShareOfTheWayAndAllOfItExactly)
{
    std::vector<float> target{0, 4, 1e-8f};
    const std::vector<float> online{1, 0, 1};
    kernels::BlendArgs args{view(target), view(online), 0.25f};
    blend(cpu, {&args, 1});
    EXPECT_EQ(target, (std::vector<float>{0.25f, 3, 0.25f}));
    args.share = 1;
    blend(cpu, {&args, 1});
    EXPECT_EQ(target, online);
}

TEST(SquareSum, IsTheSumWhateverTheLengthAndTheBitsOfLeaves)
{
    for (const i64 size : {1, 15, 64, 4'096, 4'097, 20'001}) {
        const auto row = kernels::random_floats(9, size);
        std::vector<double> leaves(static_cast<std::size_t>(kernels::square_sum_leaves(size)));
        auto plain_leaves = leaves;
        double square = -1, plain = -1;
        const kernels::SquareSumArgs args{view(row), view(leaves), {&square, 1}};
        square_sum(cpu, {&args, 1});
        const kernels::SquareSumArgs plain_args{view(row), view(plain_leaves), {&plain, 1}};
        for (std::size_t i = leaves.size(); i-- > 0;) {
            square_sum_one(plain_args, static_cast<i64>(i));
        }
        square_sum_total(plain_args);
        EXPECT_EQ(square, plain);
        long double exact = 0;
        for (const float x : row) exact += static_cast<long double>(x) * x;
        EXPECT_NEAR(square, static_cast<double>(exact), 1e-6 * static_cast<double>(exact));
    }
}

}  // namespace
}  // namespace barsweep::device
