#pragma once
#include "mlp_shape.hpp"

namespace barsweep::kernels {

enum class Distribution : i32 { none, c51, quantile };

inline constexpr int max_atoms = 256;

/// How a network's outputs become a value a level. Plain: output a is the value of level a (of a
/// PPO actor: its logit). Outputs in order: where dueling, the state's value first, atoms wide,
/// then the levels, atoms wide each.
struct Head {
    i32 levels = 0;
    bool dueling = false;  ///< Z. Wang et al., ICML 2016, equation 9 (the mean is taken off)
    Distribution distribution = Distribution::none;
    i32 atoms = 1;      ///< 1 without a distribution
    float lowest = 0;   ///< support of C51 (M. Bellemare et al., ICML 2017), in scaled reward
    float highest = 0;

    BARSWEEP_HD constexpr i32 outputs() const { return (levels + (dueling ? 1 : 0)) * atoms; }
};

}  // namespace barsweep::kernels
