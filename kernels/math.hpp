#pragma once
#include "portable.hpp"

namespace barsweep::kernels {

/// IEEE square root: the processor's own, correctly rounded on every device.
BARSWEEP_HD constexpr double square_root(double x)
{
#if defined(__CUDACC__)
    return sqrt(x);
#else
    return __builtin_sqrt(x);
#endif
}

/// Natural logarithm of a positive, finite x, within 1 ulp; the same bits on every device because
/// only +, -, * and / are in it.
///
/// x = 2^k (1 + f) with 1 + f in [1/sqrt 2, sqrt 2). With s = f / (2 + f),
///     log(1 + f) = 2 artanh s = 2s + s R,   R = 2 s^2/3 + 2 s^4/5 + 2 s^6/7 + ...
/// and, as 2s = f - sf and sf = f^2/2 - s f^2/2, the exact f can lead the sum:
///     log(1 + f) = f - (f^2/2 - s (f^2/2 + R)).
/// |s| < 0.1716: what follows s^22 is below 2^-60 of the result.
BARSWEEP_HD constexpr double log_of(double x)
{
    constexpr double ln2_high = 0x1.62e42feep-1;       // 32 bits: exact times any k
    constexpr double ln2_low = 0x1.a39ef35793c76p-33;  // ln 2 - ln2_high
    constexpr u64 exponent_of_one = u64{1023} << 52;
    constexpr u64 mantissa_bits = (u64{1} << 52) - 1;

    i64 k = 0;
    if (x < 0x1p-1022) {  // subnormal
        x *= 0x1p54;
        k = -54;
    }
    const u64 bits = __builtin_bit_cast(u64, x);
    k += static_cast<i64>(bits >> 52) - 1023;
    double m = __builtin_bit_cast(double, (bits & mantissa_bits) | exponent_of_one);
    if (m >= 0x1.6a09e667f3bcdp+0) {
        m *= 0.5;
        ++k;
    }

    const double f = m - 1;
    const double s = f / (2 + f);
    const double z = s * s;
    double series = 2.0 / 23;
    for (int n = 21; n >= 3; n -= 2) series = series * z + 2.0 / n;
    const double r = z * series;
    const double half_square = 0.5 * f * f;
    const double power = static_cast<double>(k);
    return power * ln2_high - ((half_square - (s * (half_square + r) + power * ln2_low)) - f);
}

}  // namespace barsweep::kernels
