#pragma once
#include "math.hpp"

namespace barsweep::kernels {

/// One step of Adam (D. Kingma and J. Ba, ICLR 2015, algorithm 1) over all parameters.
struct AdamArgs {
    View<float> parameters, first, second;
    View<const float> gradient;
    View<const double> square;  ///< [1] sum of the squares of gradient; read where max_norm > 0
    double learning_rate = 0;
    double max_norm = 0;  ///< the gradient is scaled down to this norm; 0: as it is
    double beta_first = 0.9, beta_second = 0.999;
    double eps = 1e-8;
    i64 number = 0;    ///< of the step, from 1
    View<i32> finite;  ///< [1] set to 0 where a new parameter isn't finite; else left as it is
};

/// The constants of one step.
struct AdamRates {
    float scale;       ///< of the gradient
    float rest_first;  ///< 1 - beta
    float beta_second;
    float rest_second;
    float step;  ///< learning rate / (1 - beta_first^number)
    float root;  ///< 1 / sqrt(1 - beta_second^number)
    float eps;
};

/// Clipping as PyTorch has it: max_norm / (norm + 1e-6), at most 1. A norm that isn't finite makes
/// all NaN.
BARSWEEP_HD constexpr AdamRates adam_rates(const AdamArgs& args)
{
    double scale = 1;
    if (args.max_norm > 0) {
        const double square = args.square[0];
        scale = args.max_norm / (square_root(square) + 1e-6);
        scale = scale > 1 ? 1 : scale + (square - square);
    }
    return {
        static_cast<float>(scale),
        static_cast<float>(1 - args.beta_first),
        static_cast<float>(args.beta_second),
        static_cast<float>(1 - args.beta_second),
        static_cast<float>(args.learning_rate / (1 - whole_power(args.beta_first, args.number))),
        static_cast<float>(1 / square_root(1 - whole_power(args.beta_second, args.number))),
        static_cast<float>(args.eps)};
}

/// Moments of a unit that is dead would shrink into subnormal numbers and stay there, where a
/// processor is forty times slower. So the second stays above a least size, and the first is
/// rounded to multiples of 2^-83: against eps neither can be told from what it was.
inline constexpr float least_second = 0x1p-116f, round_first = 0x1p-60f;

/// The kernel: one parameter. Returns the new one's bits but for the sign: from 0x7f800000 on it
/// isn't finite.
BARSWEEP_HD constexpr u32 adam_one(const AdamArgs& args, const AdamRates& rates, i64 i)
{
    const float gradient = args.gradient[i] * rates.scale;
    const float before = args.first[i];
    const float m =
        (fused(rates.rest_first, gradient - before, before) + round_first) - round_first;
    const float square =
        fused(rates.rest_second * gradient, gradient, rates.beta_second * args.second[i]);
    const float v = square < least_second ? least_second : square;
    const float size = fused(square_root(v), rates.root, rates.eps);
    const float p = fused(-rates.step * m, reciprocal(size), args.parameters[i]);
    args.first[i] = m;
    args.second[i] = v;
    args.parameters[i] = p;
    return __builtin_bit_cast(u32, p) & 0x7fffffff;
}

/// Parameters `from` to `to` - 1.
BARSWEEP_HD constexpr void adam_range(const AdamArgs& args, i64 from, i64 to)
{
    const AdamRates rates = adam_rates(args);
    u32 largest = 0;
    for (i64 i = from; i < to; ++i) {
        const u32 size = adam_one(args, rates, i);
        largest = size > largest ? size : largest;
    }
    if (largest >= 0x7f800000) args.finite[0] = 0;
}

}  // namespace barsweep::kernels
