#pragma once
#include "portable.hpp"

namespace barsweep::kernels {

inline constexpr int max_mlp_layers = 8;

enum class Activation : i32 { relu, tanh, silu };  ///< silu: z * sigmoid(z)

/// A multilayer perceptron: affine layers; between them, where asked for, layer normalisation over
/// the units of a row (J. Ba et al., arXiv 1607.06450, equation 4, eps 1e-5) and then the
/// activation; neither after the last. `sizes[0]` inputs, `sizes[layers]` outputs.
struct MlpShape {
    i32 layers = 0;
    i32 sizes[max_mlp_layers + 1] = {};
    Activation activation = Activation::relu;
    bool layer_norm = false;

    BARSWEEP_HD constexpr i32 inputs() const { return sizes[0]; }
    BARSWEEP_HD constexpr i32 outputs() const { return sizes[layers]; }
    BARSWEEP_HD constexpr bool normalised(int layer) const
    {
        return layer_norm && layer + 1 < layers;
    }
};

/// Rows of units are this many floats long at least, and a multiple of it: whole vectors of
/// AVX-512, whole sectors of a GPU. What is beyond a layer's units is 0 and stays 0.
inline constexpr i32 row_unit = 16;

BARSWEEP_HD constexpr i32 padded(i32 units)
{
    return (units + row_unit - 1) / row_unit * row_unit;
}

/// Where layer `layer` starts among the parameters. They lie in one row of floats, layer after
/// layer: W [inputs, padded outputs], b [padded outputs], and where the layer is normalised gain
/// and shift, [padded outputs] each.
BARSWEEP_HD constexpr i64 weight_offset(const MlpShape& shape, int layer)
{
    i64 offset = 0;
    for (int l = 0; l < layer; ++l) {
        const i64 rows = i64{shape.sizes[l]} + 1 + (shape.normalised(l) ? 2 : 0);
        offset += rows * padded(shape.sizes[l + 1]);
    }
    return offset;
}

BARSWEEP_HD constexpr i64 bias_offset(const MlpShape& shape, int layer)
{
    return weight_offset(shape, layer) + i64{shape.sizes[layer]} * padded(shape.sizes[layer + 1]);
}

BARSWEEP_HD constexpr i64 gain_offset(const MlpShape& shape, int layer)
{
    return bias_offset(shape, layer) + padded(shape.sizes[layer + 1]);
}

BARSWEEP_HD constexpr i64 shift_offset(const MlpShape& shape, int layer)
{
    return gain_offset(shape, layer) + padded(shape.sizes[layer + 1]);
}

/// Padding included: a multiple of row_unit.
BARSWEEP_HD constexpr i64 parameter_count(const MlpShape& shape)
{
    return weight_offset(shape, shape.layers);
}

/// Rows of floats, `stride` apart; 0: the same row for all.
template <class T>
struct Rows {
    T* data;
    i64 stride;

    BARSWEEP_HD constexpr Rows from(i64 column) const { return {data + column, stride}; }
    BARSWEEP_HD constexpr T* operator[](i64 row) const { return data + row * stride; }
};

}  // namespace barsweep::kernels
