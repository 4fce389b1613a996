#pragma once
#include "math.hpp"

namespace barsweep::kernels {

/// Mean and deviation of the numbers of a row that `picks` names.
struct NormaliseArgs {
    View<const float> row;
    View<const i32> picks;  ///< [batch]
    View<float> scaling;    ///< [2] (out) mean; 1 / (deviation, ddof 1, + 1e-8), 1 of a lone number
};

/// The kernel: one minibatch. Two passes in double, picks ascending.
BARSWEEP_HD constexpr void normalise_one(const NormaliseArgs& args)
{
    const i64 count = args.picks.size;
    double sum = 0;
    for (i64 i = 0; i < count; ++i) sum += args.row[args.picks[i]];
    const double mean = sum / static_cast<double>(count);
    double squares = 0;
    for (i64 i = 0; i < count; ++i) {
        const double away = args.row[args.picks[i]] - mean;
        squares += away * away;
    }
    args.scaling[0] = count > 1 ? static_cast<float>(mean) : 0;
    args.scaling[1] =
        count > 1
            ? static_cast<float>(1 / (square_root(squares / static_cast<double>(count - 1)) + 1e-8))
            : 1;
}

}  // namespace barsweep::kernels
