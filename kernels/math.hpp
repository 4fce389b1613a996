#pragma once
#include "math_float.hpp"

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

/// a * b + c, rounded once.
BARSWEEP_HD constexpr double fused(double a, double b, double c)
{
#if defined(__CUDACC__)
    return fma(a, b, c);
#else
    return __builtin_fma(a, b, c);
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

/// e^x within 2 ulp; infinite from 709.4 on, 0 below -708, NaN stays NaN.
///
/// x = k ln 2 + r with |r| < 0.35; e^r is its series up to r^13 / 13!.
BARSWEEP_HD constexpr double exp_of(double x)
{
    constexpr double shift = 0x1.8p52;
    constexpr double ln2_high = 0x1.62e42feep-1;       // 32 bits: exact times any k
    constexpr double ln2_low = 0x1.a39ef35793c76p-33;  // ln 2 - ln2_high
    const double held = x > 710 ? 710.0 : x < -708 ? -708.0 : x;
    const double rounded = held * 0x1.71547652b82fep+0 + shift;
    const double k = rounded - shift;
    const double r = (held - k * ln2_high) - k * ln2_low;
    double series = 1.0;
    for (int n = 13; n >= 1; --n) series = series * (r / n) + 1.0;
    const u64 exponent = __builtin_bit_cast(u64, rounded) - __builtin_bit_cast(u64, shift) + 1023;
    const double power = __builtin_bit_cast(double, exponent << 52);
    return x < -708 ? 0.0 : series * power;
}

/// base^exponent of a positive, finite base.
BARSWEEP_HD constexpr double power_of(double base, double exponent)
{
    return exp_of(exponent * log_of(base));
}

/// base^n by squaring, n >= 0.
BARSWEEP_HD constexpr double whole_power(double base, i64 n)
{
    double result = 1;
    for (; n > 0; n /= 2, base *= base) {
        if (n % 2 == 1) result *= base;
    }
    return result;
}

}  // namespace barsweep::kernels
