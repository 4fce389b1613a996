#pragma once
#include "portable.hpp"

namespace barsweep::kernels {

inline constexpr int max_mlp_layers = 8;

/// A multilayer perceptron: affine layers with ReLU between them, none after the last.
/// `sizes[0]` inputs, `sizes[layers]` outputs.
struct MlpShape {
    i32 layers = 0;
    i32 sizes[max_mlp_layers + 1] = {};

    BARSWEEP_HD constexpr i32 inputs() const { return sizes[0]; }
    BARSWEEP_HD constexpr i32 outputs() const { return sizes[layers]; }
};

/// Where layer `layer` starts among the parameters. They lie in one row of floats, layer after
/// layer: W [in, out] with the outputs adjacent, then b [out].
BARSWEEP_HD constexpr i64 weight_offset(const MlpShape& shape, int layer)
{
    i64 offset = 0;
    for (int l = 0; l < layer; ++l) offset += (i64{shape.sizes[l]} + 1) * shape.sizes[l + 1];
    return offset;
}

BARSWEEP_HD constexpr i64 bias_offset(const MlpShape& shape, int layer)
{
    return weight_offset(shape, layer) + i64{shape.sizes[layer]} * shape.sizes[layer + 1];
}

BARSWEEP_HD constexpr i64 parameter_count(const MlpShape& shape)
{
    return weight_offset(shape, shape.layers);
}

/// Floats that `mlp_row` needs as scratch: two rows of the widest layer.
BARSWEEP_HD constexpr i64 mlp_scratch(const MlpShape& shape)
{
    i32 widest = 0;
    for (int l = 0; l <= shape.layers; ++l) widest = shape.sizes[l] > widest ? shape.sizes[l] : widest;
    return 2 * i64{widest};
}

}  // namespace barsweep::kernels
