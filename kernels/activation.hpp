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

/// delta times the activation's slope, which comes from y of ReLU and tanh, from z of SiLU.
BARSWEEP_HD constexpr void through_activation(Activation activation, const float* z, const float* y,
                                              float* delta, i32 width)
{
    if (activation == Activation::relu) {
        for (i32 j = 0; j < width; ++j) delta[j] = y[j] > 0 ? delta[j] : 0;
    } else if (activation == Activation::tanh) {
        for (i32 j = 0; j < width; ++j) delta[j] *= fused(-y[j], y[j], 1);
    } else {
        for (i32 j = 0; j < width; ++j) {
            const float s = sigmoid_of(z[j]);
            delta[j] *= s * fused(z[j], 1 - s, 1);
        }
    }
}

}  // namespace barsweep::kernels
