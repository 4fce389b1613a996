// The engine's gradient against slopes of a network written in double: no library has a say in it.
#include <gtest/gtest.h>

#include <cmath>

#include "networks.hpp"

namespace barsweep::kernels {
namespace {

using Row = std::vector<double>;

double activated(Activation activation, double z)
{
    if (activation == Activation::relu) return std::max(0.0, z);
    if (activation == Activation::tanh) return std::tanh(z);
    return z / (1 + std::exp(-z));
}

/// J. Ba et al., arXiv 1607.06450, equation 4.
void normalise(Row& row, const double* gain, const double* shift)
{
    double mean = 0, square = 0;
    for (const double x : row) mean += x / static_cast<double>(row.size());
    for (const double x : row) square += (x - mean) * (x - mean) / static_cast<double>(row.size());
    for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = (row[j] - mean) / std::sqrt(square + 1e-5) * gain[j] + shift[j];
    }
}

Row outputs(const MlpShape& shape, const Row& parameters, Row x)
{
    for (int l = 0; l < shape.layers; ++l) {
        const auto width = padded(shape.sizes[l + 1]);
        Row y(static_cast<std::size_t>(shape.sizes[l + 1]));
        for (std::size_t j = 0; j < y.size(); ++j) {
            const double* column = parameters.data() + weight_offset(shape, l) + j;
            y[j] = column[width * static_cast<i64>(x.size())];
            for (std::size_t k = 0; k < x.size(); ++k)
                y[j] += x[k] * column[width * static_cast<i64>(k)];
        }
        if (shape.normalised(l)) {
            normalise(y, parameters.data() + gain_offset(shape, l),
                      parameters.data() + shift_offset(shape, l));
        }
        if (l + 1 < shape.layers) {
            for (auto& unit : y) unit = activated(shape.activation, unit);
        }
        x = std::move(y);
    }
    return x;
}

/// Sum over rows of outputs times delta: its gradient by the outputs is delta.
double loss(const MlpShape& shape, const Row& parameters, const std::vector<float>& x,
            const std::vector<float>& delta, i64 rows)
{
    double sum = 0;
    for (i64 r = 0; r < rows; ++r) {
        const auto start = x.begin() + r * shape.inputs();
        const Row y = outputs(shape, parameters, {start, start + shape.inputs()});
        for (std::size_t j = 0; j < y.size(); ++j) {
            sum += y[j] * delta[static_cast<std::size_t>(r * padded(shape.outputs())) + j];
        }
    }
    return sum;
}

class Gradient : public testing::TestWithParam<std::tuple<Activation, bool>> {};

TEST_P(Gradient, IsTheSlopeOfTheLoss)
{
    const auto [activation, layer_norm] = GetParam();
    const auto shape = shape_of({4, 7, 18, 3}, activation, layer_norm);
    constexpr i64 rows = 5;
    const auto parameters = random_parameters(21, shape);
    const auto x = random_floats(22, rows * 4);
    const auto delta = random_delta(23, shape, rows);
    const Passes passes{shape, parameters, x, delta, rows, widest_vectors()};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        constexpr double step = 1e-5;
        Row up(parameters.begin(), parameters.end()), down = up;
        up[i] += step, down[i] -= step;
        const double slope =
            (loss(shape, up, x, delta, rows) - loss(shape, down, x, delta, rows)) / (2 * step);
        EXPECT_NEAR(passes.gradient[i], slope, 2e-5 + 1e-5 * std::abs(slope)) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Gradient,
                         testing::Combine(testing::Values(Activation::relu, Activation::tanh,
                                                          Activation::silu),
                                          testing::Bool()));

}  // namespace
}  // namespace barsweep::kernels
