#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "networks.hpp"

namespace barsweep::kernels {
namespace {

static_assert(parameter_count(shape_of({54, 256, 256, 5})) == 55 * 256 + 257 * 256 + 257 * 16);
static_assert(bias_offset(shape_of({2, 3, 1}), 1) == 3 * 16 + 3 * 16);

/// By hand: hidden (1 + 1*1 + 2*3, -20 + 1*2 + 2*4) = (8, -10), after ReLU (8, 0); output
/// 0.5 + 8*2 + 0*100. With a delta of 3 at the output: weight gradient (24, 0), bias 3; below it
/// (6, 0 masked), so first weights (6, 0; 12, 0), biases (6, 0).
constexpr bool worked()
{
    constexpr MlpShape shape = shape_of({2, 2, 1});
    float parameters[parameter_count(shape)] = {};
    const float units[3][2] = {{1, 2}, {3, 4}, {1, -20}};
    for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 2; ++j) parameters[16 * k + j] = units[k][j];
    }
    parameters[48] = 2;
    parameters[64] = 100;
    parameters[80] = 0.5f;
    const float x[] = {1, 2};
    float work[network_work(shape, 1)] = {};
    forward<MultiplyInThread>(
        {shape, {parameters, parameter_count(shape)}, {x, 2}, 1, {work, work_stride(shape)}});
    if (outputs_of(shape, work)[0][0] != 16.5f) return false;

    float delta[16] = {3};
    float scratch[backward_scratch(shape, 1)] = {};
    float gradient[parameter_count(shape)] = {};
    backward<MultiplyInThread>({shape,
                                {parameters, parameter_count(shape)},
                                {x, 2},
                                1,
                                {work, work_stride(shape)},
                                {delta, 16},
                                {scratch, backward_scratch(shape, 1)},
                                {gradient, parameter_count(shape)}});
    return gradient[0] == 6 && gradient[1] == 0 && gradient[16] == 12 && gradient[17] == 0 &&
           gradient[32] == 6 && gradient[33] == 0 && gradient[48] == 24 && gradient[64] == 0 &&
           gradient[80] == 3;
}
static_assert(worked());

/// The definition of a plain ReLU network, one number after another with the library's fma.
struct Naive {
    std::vector<std::vector<float>> outputs;  ///< per layer [rows, units]
    std::vector<float> gradient;

    Naive(const MlpShape& shape, const std::vector<float>& parameters, const std::vector<float>& x,
          const std::vector<float>& delta, i64 rows)
        : gradient(parameters.size())
    {
        const auto at = [](const auto& row, i64 i) -> auto&
        {
            return row[static_cast<std::size_t>(i)];
        };
        std::vector<float> in = x;
        std::vector<std::vector<float>> inputs;
        for (int l = 0; l < shape.layers; ++l) {
            const i64 ins = shape.sizes[l], outs = shape.sizes[l + 1],
                      width = padded(shape.sizes[l + 1]);
            std::vector<float> out(static_cast<std::size_t>(rows * outs));
            for (i64 r = 0; r < rows; ++r) {
                for (i64 j = 0; j < outs; ++j) {
                    float sum = at(parameters, bias_offset(shape, l) + j);
                    for (i64 k = 0; k < ins; ++k) {
                        sum =
                            std::fmaf(at(in, r * ins + k),
                                      at(parameters, weight_offset(shape, l) + k * width + j), sum);
                    }
                    out[static_cast<std::size_t>(r * outs + j)] =
                        l + 1 < shape.layers && sum < 0 ? 0 : sum;
                }
            }
            inputs.push_back(in);
            outputs.push_back(out);
            in = out;
        }
        std::vector<float> above(static_cast<std::size_t>(rows * shape.outputs()));
        for (i64 r = 0; r < rows; ++r) {
            for (i64 j = 0; j < shape.outputs(); ++j) {
                above[static_cast<std::size_t>(r * shape.outputs() + j)] =
                    at(delta, r * padded(shape.outputs()) + j);
            }
        }
        for (int l = shape.layers - 1; l >= 0; --l) {
            const i64 ins = shape.sizes[l], outs = shape.sizes[l + 1],
                      width = padded(shape.sizes[l + 1]);
            const auto& seen = inputs[static_cast<std::size_t>(l)];
            for (i64 j = 0; j < outs; ++j) {
                float bias = 0;
                for (i64 r = 0; r < rows; ++r) bias += at(above, r * outs + j);
                gradient[static_cast<std::size_t>(bias_offset(shape, l) + j)] = bias;
                for (i64 k = 0; k < ins; ++k) {
                    float sum = 0;
                    for (i64 r = 0; r < rows; ++r) {
                        sum = std::fmaf(at(seen, r * ins + k), at(above, r * outs + j), sum);
                    }
                    gradient[static_cast<std::size_t>(weight_offset(shape, l) + k * width + j)] =
                        sum;
                }
            }
            std::vector<float> below(static_cast<std::size_t>(rows * ins));
            for (i64 r = 0; r < rows; ++r) {
                for (i64 k = 0; k < ins; ++k) {
                    float sum = 0;
                    for (i64 j = 0; j < outs; ++j) {
                        sum =
                            std::fmaf(at(above, r * outs + j),
                                      at(parameters, weight_offset(shape, l) + k * width + j), sum);
                    }
                    below[static_cast<std::size_t>(r * ins + k)] =
                        at(seen, r * ins + k) > 0 ? sum : 0;
                }
            }
            above = below;
        }
    }
};

class Shapes : public testing::TestWithParam<MlpShape> {};

TEST_P(Shapes, AReluNetworkHasTheBitsOfALoopOfFmaOnAnyVectorsAndInAnyBatch)
{
    const MlpShape shape = GetParam();
    const auto parameters = random_parameters(1, shape);
    for (const i64 rows : {1, 2, 7, 15, 29}) {
        const auto x = random_floats(2, rows * shape.inputs());
        const auto delta = random_delta(3, shape, rows);
        const Naive naive{shape, parameters, x, delta, rows};
        for (const Vectors vectors : vectors_here()) {
            const Passes passes{shape, parameters, x, delta, rows, vectors};
            EXPECT_EQ(bits(passes.put_out), bits(naive.outputs.back())) << rows;
            EXPECT_EQ(bits(passes.gradient), bits(naive.gradient)) << rows;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Relu, Shapes,
                         testing::Values(shape_of({59, 256, 256, 5}), shape_of({54, 64, 64, 5}),
                                         shape_of({3, 1}), shape_of({1, 1, 1, 1}),
                                         shape_of({7, 341, 2, 16}), shape_of({59, 100, 300, 23}),
                                         shape_of({5, 4, 8, 4, 8, 4, 8, 4, 3})));

TEST(Network, NotANumberIsNeverHiddenByReLU)
{
    constexpr MlpShape shape = shape_of({1, 1, 1});
    std::vector<float> parameters(static_cast<std::size_t>(parameter_count(shape)));
    parameters[0] = std::numeric_limits<float>::quiet_NaN();
    parameters[32] = 1;
    const Passes passes{shape, parameters, {1}, std::vector<float>(16), 1, widest_vectors()};
    EXPECT_TRUE(std::isnan(passes.put_out[0]));
}

}  // namespace
}  // namespace barsweep::kernels
