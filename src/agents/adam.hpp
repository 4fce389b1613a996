#pragma once
#include <cstdint>

#include "kernels/portable.hpp"

namespace barsweep::agents {

/// Euclidean norm of a row, summed in double in a fixed order.
double norm(kernels::View<const float> row);

/// What an optimiser step moves: three rows of one size.
struct AdamRows {
    kernels::View<float> parameters;
    kernels::View<float> first;   ///< moment
    kernels::View<float> second;  ///< moment
};

/// D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1, in
/// one pass, with beta 0.9 and 0.999, eps 1e-8; `gradient` counts times `scale`. `number` counts
/// steps from 1. False where a parameter isn't finite any more.
bool adam_step(const AdamRows& rows, kernels::View<const float> gradient, float scale,
               double learning_rate, std::int64_t number);

/// target += tau * (online - target) (T. Lillicrap et al., ICLR 2016, algorithm 1).
void blend(kernels::View<float> target, kernels::View<const float> online, float tau);

}  // namespace barsweep::agents
