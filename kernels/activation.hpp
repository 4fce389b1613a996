#pragma once
#include "affine.hpp"

namespace barsweep::kernels {

/// y = activation(z) over `width` units; y may be z.
BARSWEEP_HD constexpr void activate(Activation activation, const float* z, float* y, i32 width)
{
    if (activation == Activation::relu) {
        for (i32 j = 0; j < width; ++j) y[j] = relu(z[j]);
    } else if (activation == Activation::tanh) {
        for (i32 j = 0; j < width; ++j) y[j] = tanh_of(z[j]);
    } else {
        for (i32 j = 0; j < width; ++j) y[j] = z[j] * sigmoid_of(z[j]);
    }
}

/// What turns a loss by y into one by z where the slope comes from y; SiLU's comes from z.
BARSWEEP_HD constexpr End slope_of(Activation activation)
{
    return activation == Activation::relu   ? End::relu_slope
           : activation == Activation::tanh ? End::tanh_slope
                                            : End::plain;
}

/// delta by y becomes delta by z.
BARSWEEP_HD constexpr void through_silu(const float* z, float* delta, i32 width)
{
    for (i32 j = 0; j < width; ++j) {
        const float s = sigmoid_of(z[j]);
        delta[j] *= s * fused(z[j], 1 - s, 1);
    }
}

}  // namespace barsweep::kernels
