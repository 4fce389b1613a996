#pragma once
#include "math.hpp"
#include "mlp_shape.hpp"

namespace barsweep::kernels {

inline constexpr float layer_norm_eps = 1e-5f;

/// Sum of value(j) for j < count: row_unit sums side by side, then those in pairs. One order for
/// all vectors and devices.
template <class Value>
BARSWEEP_HD constexpr float side_by_side(i32 count, Value value)
{
    float sums[row_unit] = {};
    i32 j = 0;
    for (; j + row_unit <= count; j += row_unit) {
        for (i32 i = 0; i < row_unit; ++i) sums[i] += value(j + i);
    }
    for (i32 i = 0; i < row_unit; ++i) {
        if (j + i < count) sums[i] += value(j + i);
    }
    for (i32 half = row_unit / 2; half > 0; half /= 2) {
        for (i32 i = 0; i < half; ++i) sums[i] += sums[i + half];
    }
    return sums[0];
}

/// Normalises `units` numbers in place and returns the reciprocal of their deviation: equation 4
/// of J. Ba et al., arXiv 1607.06450, without gain and shift.
BARSWEEP_HD constexpr float normalise(float* row, i32 units)
{
    const auto count = static_cast<float>(units);
    const float mean = side_by_side(units, [=](i32 j) { return row[j]; }) / count;
    const float square = side_by_side(units, [=](i32 j) {
        const float off = row[j] - mean;
        return off * off;
    });
    const float reciprocal = 1 / square_root(square / count + layer_norm_eps);
    for (i32 j = 0; j < units; ++j) row[j] = (row[j] - mean) * reciprocal;
    return reciprocal;
}

/// z = gain * normalised + shift; 0 beyond the units as gain and shift are.
BARSWEEP_HD constexpr void scale_and_shift(const float* normalised, const float* gain,
                                           const float* shift, float* z, i32 width)
{
    for (i32 j = 0; j < width; ++j) z[j] = fused(normalised[j], gain[j], shift[j]);
}

/// delta by z becomes delta by what was normalised. With d = delta * gain:
///     (d - mean(d) - normalised * mean(d * normalised)) / deviation
BARSWEEP_HD constexpr void through_normalisation(const float* normalised, float reciprocal,
                                                 const float* gain, float* delta, i32 units)
{
    const auto count = static_cast<float>(units);
    for (i32 j = 0; j < units; ++j) delta[j] *= gain[j];
    const float mean = side_by_side(units, [=](i32 j) { return delta[j]; }) / count;
    const float along =
        side_by_side(units, [=](i32 j) { return delta[j] * normalised[j]; }) / count;
    for (i32 j = 0; j < units; ++j) {
        delta[j] = fused(-normalised[j], along, delta[j] - mean) * reciprocal;
    }
}

}  // namespace barsweep::kernels
