#pragma once
#include "math.hpp"

namespace barsweep::kernels {

/// target += share * (online - target) (T. Lillicrap et al., ICLR 2016, algorithm 1).
struct BlendArgs {
    View<float> target;
    View<const float> online;  ///< the same size
    float share = 0;           ///< 0..1; 1 copies
};

/// The kernel: one parameter.
BARSWEEP_HD constexpr void blend_one(const BlendArgs& args, i64 i)
{
    const float from = args.target[i], to = args.online[i];
    args.target[i] = args.share == 1 ? to : fused(args.share, to - from, from);
}

}  // namespace barsweep::kernels
