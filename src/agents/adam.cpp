#include "agents/adam.hpp"

#include <bit>
#include <cmath>

#include "base/wide.hpp"

namespace barsweep::agents {
namespace {

using kernels::i64;

constexpr float beta_second = 0.999f;
constexpr float rest_first = 0.1f;  // 1 - beta; rounded once, as 1 - 0.9f would not be
constexpr float rest_second = 0.001f;
constexpr float eps = 1e-8f;

/// Sixteen sums side by side, so that the order is the same for every width of vectors.
BARSWEEP_WIDE double sum_of_squares(const float* row, i64 size)
{
    constexpr i64 side = 16;
    double sums[side] = {};
    i64 i = 0;
    for (; i + side <= size; i += side) {
        for (i64 j = 0; j < side; ++j) {
            const double x = row[i + j];
            sums[j] += x * x;
        }
    }
    for (; i < size; ++i) sums[i % side] += double{row[i]} * row[i];
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
}

/// The constants of one step.
struct Rates {
    float scale;
    float step;  ///< learning rate / (1 - beta_first^t)
    float root;  ///< sqrt(1 - beta_second^t)
};

BARSWEEP_WIDE bool adam_pass(float* p, float* m, float* v, const float* g, i64 size, Rates rates)
{
    constexpr std::uint32_t exponent = 0x7f800000;  // all set: infinite or NaN
    std::uint32_t bad = 0;
    for (i64 i = 0; i < size; ++i) {
        const float gradient = g[i] * rates.scale;
        m[i] += rest_first * (gradient - m[i]);
        v[i] = beta_second * v[i] + rest_second * gradient * gradient;
        p[i] -= rates.step * m[i] / (std::sqrt(v[i]) / rates.root + eps);
        bad |= (std::bit_cast<std::uint32_t>(p[i]) & exponent) == exponent;
    }
    return bad == 0;
}

BARSWEEP_WIDE void blend_pass(float* target, const float* online, i64 size, float tau)
{
    for (i64 i = 0; i < size; ++i) target[i] += tau * (online[i] - target[i]);
}

}  // namespace

double norm(kernels::View<const float> row)
{
    return std::sqrt(sum_of_squares(row.data, row.size));
}

bool adam_step(const AdamRows& rows, kernels::View<const float> gradient, float scale,
               double learning_rate, std::int64_t number)
{
    const auto t = static_cast<double>(number);
    const Rates rates{scale, static_cast<float>(learning_rate / (1 - std::pow(0.9, t))),
                      static_cast<float>(std::sqrt(1 - std::pow(0.999, t)))};
    return adam_pass(rows.parameters.data, rows.first.data, rows.second.data, gradient.data,
                     gradient.size, rates);
}

void blend(kernels::View<float> target, kernels::View<const float> online, float tau)
{
    blend_pass(target.data, online.data, target.size, tau);
}

}  // namespace barsweep::agents
