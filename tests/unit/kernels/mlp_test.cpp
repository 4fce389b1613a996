#include "kernels/mlp.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

constexpr MlpShape shape_of(std::initializer_list<i32> sizes)
{
    MlpShape shape;
    for (const i32 size : sizes) shape.sizes[shape.layers++] = size;
    --shape.layers;
    return shape;
}

static_assert(parameter_count(shape_of({54, 256, 256, 5})) == 55 * 256 + 257 * 256 + 257 * 5);
static_assert(bias_offset(shape_of({2, 3, 1}), 1) == 9 + 3);

/// By hand: hidden (1 + 1*1 + 2*3, -20 + 1*2 + 2*4) = (8, -10), after ReLU (8, 0); output
/// 0.5 + 8*2 + 0*100.
constexpr float worked()
{
    const float parameters[] = {1, 2, 3, 4, 1, -20, 2, 100, 0.5f};
    const float x[] = {1, 2};
    float y[1] = {};
    float scratch[4] = {};
    mlp_row(shape_of({2, 2, 1}), parameters, x, y, scratch);
    return y[0];
}
static_assert(worked() == 16.5f);

/// The definition, one output after another.
std::vector<float> by_triple_loop(const MlpShape& shape, const std::vector<float>& parameters,
                                  std::vector<float> x)
{
    const float* weights = parameters.data();
    for (int l = 0; l < shape.layers; ++l) {
        const auto in = static_cast<std::size_t>(shape.sizes[l]);
        const auto out = static_cast<std::size_t>(shape.sizes[l + 1]);
        std::vector<float> y(out);
        for (std::size_t j = 0; j < out; ++j) {
            volatile float sum = weights[in * out + j];  // no vectors, no reordering
            for (std::size_t k = 0; k < in; ++k) sum = sum + x[k] * weights[k * out + j];
            y[j] = l + 1 < shape.layers && sum < 0 ? 0.0f : sum;
        }
        weights += (in + 1) * out;
        x = std::move(y);
    }
    return x;
}

using Run = void (*)(const MlpArgs&);

void run_plain(const MlpArgs& args)
{
    for (i64 i = 0; i < args.rows; ++i) mlp_one(args, i);
}

void run_blocks(const MlpArgs& args)
{
    i64 i = 0;
    for (; i + 4 <= args.rows; i += 4) mlp_block<4>(args, i);
    for (; i < args.rows; ++i) mlp_one(args, i);
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
[[gnu::target("avx2"), gnu::flatten]] void run_avx2(const MlpArgs& args)
{
    run_blocks(args);
}

[[gnu::target("arch=x86-64-v4"), gnu::flatten]] void run_avx512(const MlpArgs& args)
{
    run_blocks(args);
}

std::vector<Run> runs()
{
    std::vector<Run> all{run_plain, run_blocks};
    if (__builtin_cpu_supports("avx2")) all.push_back(run_avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
        all.push_back(run_avx512);
    }
    return all;
}
#else
std::vector<Run> runs()
{
    return {run_plain, run_blocks};
}
#endif

class Shapes : public testing::TestWithParam<MlpShape> {};

TEST_P(Shapes, EveryRowHasTheBitsOfATripleLoopOnAnyWidthAndInAnyBatch)
{
    const MlpShape shape = GetParam();
    const auto parameters = random_floats(1, parameter_count(shape));
    for (const i64 rows : {1, 3, 4, 9}) {
        const auto x = random_floats(2, rows * shape.inputs());
        std::vector<float> expected;
        for (i64 i = 0; i < rows; ++i) {
            const auto row = x.begin() + i * shape.inputs();
            const auto y = by_triple_loop(shape, parameters, {row, row + shape.inputs()});
            expected.insert(expected.end(), y.begin(), y.end());
        }
        for (const auto run : runs()) {
            std::vector<float> y(static_cast<std::size_t>(rows * shape.outputs()));
            std::vector<float> scratch(static_cast<std::size_t>(rows * mlp_scratch(shape)));
            run({shape, view(parameters), view(x), view(y), view(scratch), rows});
            EXPECT_EQ(bits(y), bits(expected)) << rows;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Mlp, Shapes,
                         testing::Values(shape_of({59, 256, 256, 5}), shape_of({54, 64, 64, 5}),
                                         shape_of({3, 1}), shape_of({1, 1, 1, 1}),
                                         shape_of({7, 341, 2, 16}), shape_of({59, 100, 300, 23}),
                                         shape_of({5, 4, 8, 4, 8, 4, 8, 4, 3})));

TEST(Mlp, NotANumberIsNeverHiddenByReLU)
{
    const std::vector<float> parameters{std::numeric_limits<float>::quiet_NaN(), 0, 1, 0};
    const float x[] = {1};
    float y[1] = {};
    float scratch[2] = {};
    mlp_row(shape_of({1, 1, 1}), parameters.data(), x, y, scratch);
    EXPECT_TRUE(y[0] != y[0]);
}

}  // namespace
}  // namespace barsweep::kernels
