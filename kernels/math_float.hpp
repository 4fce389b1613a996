#pragma once
#include "portable.hpp"

namespace barsweep::kernels {

/// a * b + c, rounded once: one instruction where the processor has it, the same bits where not.
BARSWEEP_HD constexpr float fused(float a, float b, float c)
{
#if defined(__CUDACC__)
    return fmaf(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}

/// IEEE square root.
BARSWEEP_HD constexpr float square_root(float x)
{
#if defined(__CUDACC__)
    return sqrtf(x);
#else
    return __builtin_sqrtf(x);
#endif
}

/// Nearer to 1 / x than the guess y is: with h = 1 - x y, y (1 + h + h^2) is off by h^3.
BARSWEEP_HD constexpr float closer_reciprocal(float x, float y)
{
    const float h = fused(-x, y, 1);
    return fused(y, fused(h, h, h), y);
}

/// 1 / x of a positive, normal number below 2^126, within 2 ulp, in a quarter of a division's time.
/// The first guess, from the exponent, is off by an eighth at most. Not finite for infinity and
/// NaN.
BARSWEEP_HD constexpr float reciprocal(float x)
{
    const float guess = __builtin_bit_cast(float, 0x7ef311c3 - __builtin_bit_cast(u32, x));
    return closer_reciprocal(x, closer_reciprocal(x, guess));
}

/// |x|; the sign bit of NaN goes too.
BARSWEEP_HD constexpr float without_sign(float x)
{
    return __builtin_bit_cast(float, __builtin_bit_cast(u32, x) & 0x7fffffff);
}

/// `size` with the sign bit of `sign`.
BARSWEEP_HD constexpr float signed_as(float size, float sign)
{
    constexpr u32 sign_bit = 0x80000000;
    return __builtin_bit_cast(float, (__builtin_bit_cast(u32, size) & ~sign_bit) |
                                         (__builtin_bit_cast(u32, sign) & sign_bit));
}

/// 2^n for n in -126..127.
BARSWEEP_HD constexpr float two_to(u32 n)
{
    return __builtin_bit_cast(float, (n + 127) << 23);
}

/// e^x = 2^n (1 + part), n an integer (of 32 bits, negative ones as u32), |x - n ln 2| <= ln 2 / 2.
struct Exponential {
    u32 n;
    float part;  ///< e^r - 1 by Taylor's series to r^7: what follows is below 2^-27
};

/// For x in -200..200; garbage for others, but no trap and no undefined behaviour.
BARSWEEP_HD constexpr Exponential exponential(float x)
{
    constexpr float to_integer = 0x1.8p23f;   // adding it rounds to an integer in the low bits
    constexpr float ln2_high = 0x1.62e4p-1f;  // 15 bits: exact times any n
    constexpr float ln2_low = 0x1.7f7d1cp-20f;
    const float shifted = fused(x, 0x1.715476p+0f, to_integer);
    const float n = shifted - to_integer;
    const float r = fused(-n, ln2_low, fused(-n, ln2_high, x));
    float series = 1.0f / 5040;
    series = fused(series, r, 1.0f / 720);
    series = fused(series, r, 1.0f / 120);
    series = fused(series, r, 1.0f / 24);
    series = fused(series, r, 1.0f / 6);
    series = fused(series, r, 0.5f);
    return {__builtin_bit_cast(u32, shifted) - __builtin_bit_cast(u32, to_integer),
            fused(series, r * r, r)};
}

/// e^x within 1.5 ulp, subnormal results too; 0 and infinity where float ends, NaN for NaN.
BARSWEEP_HD constexpr float exp_of(float x)
{
    constexpr float highest = 89, lowest = -105;  // beyond float on either side
    float bounded = x > highest ? highest : x;
    bounded = bounded < lowest ? lowest : bounded;
    const Exponential e = exponential(bounded);
    const u32 half = static_cast<u32>(static_cast<i32>(e.n) >> 1);
    return (1 + e.part) * two_to(half) * two_to(e.n - half);
}

/// Natural logarithm within 1 ulp; -infinity at 0, NaN below it and for NaN, infinity at infinity.
/// As the one of doubles in math.hpp, with fewer terms: what follows s^10 is below 2^-28.
BARSWEEP_HD constexpr float log_of(float x)
{
    constexpr float ln2_high = 0x1.62e4p-1f;
    constexpr float ln2_low = 0x1.7f7d1cp-20f;
    const bool subnormal = x < 0x1p-126f;
    const u32 bits = __builtin_bit_cast(u32, subnormal ? x * 0x1p23f : x);
    // The mantissa from 1/sqrt 2 up counts with the power below.
    const u32 shifted = bits - 0x3f3504f3;
    const i32 k = (static_cast<i32>(shifted) >> 23) - (subnormal ? 23 : 0);
    const float m = __builtin_bit_cast(float, (shifted & 0x7fffff) + 0x3f3504f3);

    const float f = m - 1;
    const float s = f / (2 + f);
    const float z = s * s;
    float series = 2.0f / 11;
    series = fused(series, z, 2.0f / 9);
    series = fused(series, z, 2.0f / 7);
    series = fused(series, z, 2.0f / 5);
    series = fused(series, z, 2.0f / 3);
    const float half_square = 0.5f * f * f;
    const float power = static_cast<float>(k);
    const float low = fused(s, fused(z, series, half_square), power * ln2_low);
    const float result = fused(power, ln2_high, f - (half_square - low));

    constexpr float infinity = __builtin_bit_cast(float, u32{0x7f800000});
    constexpr float none = __builtin_bit_cast(float, u32{0x7fc00000});
    const float beyond = x == 0 ? -infinity : x == infinity ? infinity : none;
    return x > 0 && x < infinity ? result : beyond;
}

/// Hyperbolic tangent within 2.5 ulp, signed zero and subnormal numbers too.
/// With e^2|x| - 1 = E without cancellation: E / (E + 2). From 10 on it is 1.
BARSWEEP_HD constexpr float tanh_of(float x)
{
    constexpr float one_from = 10;
    const float size = without_sign(x);
    const float bounded = size > one_from ? one_from : size;
    const Exponential e = exponential(2 * bounded);
    const float power = two_to(e.n);
    const float less_one = fused(power, e.part, power - 1);
    return signed_as(less_one / (less_one + 2), x);
}

/// 1 / (1 + e^-x) within 2.5 ulp, subnormal results too.
BARSWEEP_HD constexpr float sigmoid_of(float x)
{
    const float e = exp_of(-without_sign(x));
    return (x < 0 ? e : 1) / (1 + e);
}

}  // namespace barsweep::kernels
