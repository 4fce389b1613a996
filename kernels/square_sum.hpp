#pragma once
#include "math.hpp"

namespace barsweep::kernels {

/// Sum of the squares of a row: a leaf's in float, whose error is below 2^-19 of it, leaves in
/// double. Infinite from a number of 1.8e19 on.
struct SquareSumArgs {
    View<const float> row;
    View<double> leaves;  ///< [square_sum_leaves(row.size)]
    View<double> square;  ///< [1] (out)
};

inline constexpr i64 square_sum_leaf = 1024;
inline constexpr i64 square_sum_side = 64;

BARSWEEP_HD constexpr i64 square_sum_leaves(i64 size)
{
    return (size + square_sum_leaf - 1) / square_sum_leaf;
}

/// The kernel, first half: one leaf. Sums side by side, then those in pairs: one order
/// whatever the vectors.
BARSWEEP_HD constexpr void square_sum_one(const SquareSumArgs& args, i64 i)
{
    const i64 from = i * square_sum_leaf;
    const i64 left = args.row.size - from;
    const i64 count = left < square_sum_leaf ? left : square_sum_leaf;
    const float* row = args.row.data + from;
    float sums[square_sum_side] = {};
    i64 k = 0;
    for (; k + square_sum_side <= count; k += square_sum_side) {
        for (i64 j = 0; j < square_sum_side; ++j) {
            sums[j] = fused(row[k + j], row[k + j], sums[j]);
        }
    }
    for (i64 j = 0; k + j < count; ++j) sums[j] = fused(row[k + j], row[k + j], sums[j]);
    for (i64 half = square_sum_side / 2; half > 0; half /= 2) {
        for (i64 j = 0; j < half; ++j) sums[j] += sums[j + half];
    }
    args.leaves[i] = double{sums[0]};
}

/// Second half: leaves ascending.
BARSWEEP_HD constexpr void square_sum_total(const SquareSumArgs& args)
{
    double total = 0;
    for (i64 i = 0; i < square_sum_leaves(args.row.size); ++i) total += args.leaves[i];
    args.square[0] = total;
}

}  // namespace barsweep::kernels
