#pragma once
#include "portable.hpp"

namespace barsweep::kernels {

/// A 1e-9 share of something: rates are ppb, costs are rounded in these.
inline constexpr i64 billion = 1'000'000'000;
inline constexpr i64 million = 1'000'000;

BARSWEEP_HD constexpr i64 sign(i64 x)
{
    return (x > 0) - (x < 0);
}

/// |x| in 128 bits: -2^63 has no int64 magnitude.
BARSWEEP_HD constexpr i128 magnitude(i128 x)
{
    return x < 0 ? -x : x;
}

/// `exact` as int64. Where it does not fit, `overflow` is set (it stays set) and 0 returned.
BARSWEEP_HD constexpr i64 narrow(i128 exact, bool& overflow)
{
    const i64 value = static_cast<i64>(exact);
    if (value == exact) return value;
    overflow = true;
    return 0;
}

/// a / b rounded up; b > 0. (C++ truncates, which is up already where a is negative.)
BARSWEEP_HD constexpr i128 divide_up(i128 a, i128 b)
{
    return a / b + (a % b > 0);
}

/// Both operands become doubles, then one IEEE division (SEMANTICS 8).
BARSWEEP_HD constexpr double ratio(i128 a, i128 b)
{
    return static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace barsweep::kernels
