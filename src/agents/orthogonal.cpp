#include "agents/orthogonal.hpp"

#include <algorithm>
#include <numbers>

#include "base/wide.hpp"
#include "kernels/math.hpp"

namespace barsweep::agents {
namespace {

using kernels::i64;

constexpr i64 side = 16;  // sums side by side: one order whatever the vectors

/// Two independent standard normal numbers without trigonometry: G. Marsaglia and T. Bray, "A
/// convenient method for generating normal variables", SIAM Review 6(3), 1964.
struct Normals {
    double first, second;

    explicit Normals(RandomStream& draws)
    {
        for (;;) {
            const double x = 2 * draws.uniform() - 1, y = 2 * draws.uniform() - 1;
            const double square = x * x + y * y;
            if (square >= 1 || square == 0) continue;
            const double scale = kernels::square_root(-2 * kernels::log_of(square) / square);
            first = x * scale;
            second = y * scale;
            return;
        }
    }
};

double dot(const double* a, const double* b, i64 size)
{
    double sums[side] = {};
    i64 k = 0;
    for (; k + side <= size; k += side) {
        for (i64 j = 0; j < side; ++j) sums[j] += a[k + j] * b[k + j];
    }
    for (i64 j = 0; k + j < size; ++j) sums[j] += a[k + j] * b[k + j];
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
}

/// Rows of `q` [count, size] become orthonormal. Twice is enough: W. Kahan's rule, B. Parlett, "The
/// symmetric eigenvalue problem", 1980, section 6.9.
BARSWEEP_WIDE void orthonormalise(double* q, i64 count, i64 size)
{
    for (i64 i = 0; i < count; ++i) {
        double* const row = q + i * size;
        for (int pass = 0; pass < 2; ++pass) {
            for (i64 earlier = 0; earlier < i; ++earlier) {
                const double* other = q + earlier * size;
                const double along = dot(row, other, size);
                for (i64 k = 0; k < size; ++k) row[k] -= along * other[k];
            }
        }
        const double norm = kernels::square_root(dot(row, row, size));
        for (i64 k = 0; k < size; ++k) row[k] /= norm;
    }
}

}  // namespace

std::vector<double> orthogonal(std::int64_t rows, std::int64_t columns, double gain,
                               RandomStream& draws)
{
    const i64 count = std::min(rows, columns), size = std::max(rows, columns);
    std::vector<double> q(static_cast<std::size_t>(count * size));
    for (std::size_t i = 0; i < q.size(); i += 2) {
        const Normals normals{draws};
        q[i] = normals.first;
        if (i + 1 < q.size()) q[i + 1] = normals.second;
    }
    orthonormalise(q.data(), count, size);
    std::vector<double> matrix(q.size());
    for (i64 r = 0; r < rows; ++r) {
        for (i64 c = 0; c < columns; ++c) {
            const i64 at = rows <= columns ? r * size + c : c * size + r;
            matrix[static_cast<std::size_t>(r * columns + c)] =
                gain * q[static_cast<std::size_t>(at)];
        }
    }
    return matrix;
}

void write_orthogonal(const kernels::MlpShape& shape, double last_gain, std::uint64_t stream_key,
                      std::uint32_t network, float* parameters)
{
    std::fill_n(parameters, kernels::parameter_count(shape), 0.0f);
    for (int layer = 0; layer < shape.layers; ++layer) {
        RandomStream draws{stream_key, Purpose::network_weights, network,
                           static_cast<std::uint32_t>(layer)};
        const i64 inputs = shape.sizes[layer], outputs = shape.sizes[layer + 1];
        const double gain = layer + 1 < shape.layers ? std::numbers::sqrt2 : last_gain;
        const auto weights = orthogonal(inputs, outputs, gain, draws);
        float* row = parameters + kernels::weight_offset(shape, layer);
        for (i64 k = 0; k < inputs; ++k, row += kernels::padded(shape.sizes[layer + 1])) {
            std::transform(weights.begin() + k * outputs, weights.begin() + (k + 1) * outputs, row,
                           [](double x) { return static_cast<float>(x); });
        }
        if (shape.normalised(layer)) {
            std::fill_n(parameters + kernels::gain_offset(shape, layer), outputs, 1.0f);
        }
    }
}

}  // namespace barsweep::agents
