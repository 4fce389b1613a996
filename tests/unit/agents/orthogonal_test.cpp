#include "agents/orthogonal.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace barsweep::agents {
namespace {

std::vector<double> draw(std::int64_t rows, std::int64_t columns, double gain,
                         std::uint64_t seed = 3)
{
    RandomStream draws{seed, Purpose::network_weights};
    return orthogonal(rows, columns, gain, draws);
}

/// Products of the shorter side's vectors with each other are gain^2 times the identity.
void expect_orthogonal(std::int64_t rows, std::int64_t columns, double gain)
{
    const auto w = draw(rows, columns, gain);
    ASSERT_EQ(std::ssize(w), rows * columns);
    const bool wide = rows <= columns;
    const auto count = std::min(rows, columns), size = std::max(rows, columns);
    const auto at = [&](std::int64_t i, std::int64_t k) {
        return w[static_cast<std::size_t>(wide ? i * columns + k : k * columns + i)];
    };
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::int64_t j = 0; j <= i; ++j) {
            double dot = 0;
            for (std::int64_t k = 0; k < size; ++k) dot += at(i, k) * at(j, k);
            ASSERT_NEAR(dot, i == j ? gain * gain : 0, 1e-13) << i << " " << j;
        }
    }
}

TEST(Orthogonal, RowsOrColumnsHaveTheGainAndAreOrthogonal)
{
    expect_orthogonal(54, 256, std::sqrt(2));
    expect_orthogonal(64, 64, std::sqrt(2));
    expect_orthogonal(64, 5, 0.01);
    expect_orthogonal(17, 1, 1);
    expect_orthogonal(1, 1, 1);
}

/// Of a uniformly distributed one any entry squared has the mean 1 / size, and either sign is as
/// likely: 4,000 of them, 4 standard errors.
TEST(Orthogonal, NoDirectionIsPreferred)
{
    double squares[2] = {}, sums[2] = {};
    constexpr int count = 4'000;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        const auto w = draw(4, 4, 1, seed);
        for (const int i : {0, 1}) {
            const double x = w[static_cast<std::size_t>(15 * i)];  // the first and the last
            squares[i] += x * x / count;
            sums[i] += x / count;
        }
    }
    for (const int i : {0, 1}) {
        EXPECT_NEAR(squares[i], 0.25, 4 * 0.25 / std::sqrt(count));
        EXPECT_NEAR(sums[i], 0, 4 * 0.5 / std::sqrt(count));
    }
}

TEST(Orthogonal, ANetworkHasGainsByLayerAndNoBiases)
{
    kernels::MlpShape shape{3, {10, 20, 20, 3}, kernels::Activation::tanh, true};
    std::vector<float> row(static_cast<std::size_t>(kernels::parameter_count(shape)), 9),
        other{row};
    write_orthogonal(shape, 0.01, 5, 0, row.data());
    const double gains[] = {std::sqrt(2), std::sqrt(2), 0.01};
    for (int l = 0; l < 3; ++l) {
        double squares = 0;
        const auto width = kernels::padded(shape.sizes[l + 1]);
        for (int k = 0; k < shape.sizes[l]; ++k) {
            for (int j = 0; j < width; ++j) {
                const double x =
                    row[static_cast<std::size_t>(kernels::weight_offset(shape, l) + k * width + j)];
                EXPECT_TRUE(j < shape.sizes[l + 1] || x == 0);
                squares += x * x;
            }
        }
        const double vectors = std::min(shape.sizes[l], shape.sizes[l + 1]);
        EXPECT_NEAR(squares, vectors * gains[l] * gains[l], 1e-5 * squares);
        for (int j = 0; j < width; ++j) {
            EXPECT_EQ(row[static_cast<std::size_t>(kernels::bias_offset(shape, l) + j)], 0);
            if (!shape.normalised(l)) continue;
            EXPECT_EQ(row[static_cast<std::size_t>(kernels::gain_offset(shape, l) + j)],
                      j < shape.sizes[l + 1] ? 1 : 0);
        }
    }
    write_orthogonal(shape, 0.01, 5, 1, other.data());
    EXPECT_NE(row, other);
}

}  // namespace
}  // namespace barsweep::agents
