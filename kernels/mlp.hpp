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

/// Floats of the widest layer, inputs and outputs included.
BARSWEEP_HD constexpr i64 widest(const MlpShape& shape)
{
    i32 width = 0;
    for (int l = 0; l <= shape.layers; ++l) {
        width = shape.sizes[l] > width ? shape.sizes[l] : width;
    }
    return width;
}

/// Floats that a row needs as scratch: two rows of the widest layer.
BARSWEEP_HD constexpr i64 mlp_scratch(const MlpShape& shape)
{
    return 2 * widest(shape);
}

/// Rows of floats, `stride` apart; 0: the same row for all.
template <class T>
struct Rows {
    T* data;
    i64 stride;

    BARSWEEP_HD constexpr Rows from(i64 column) const { return {data + column, stride}; }
};

/// The affine part of a layer, or of its first or last inputs: sums go on from `start`.
struct Affine {
    Rows<const float> x;      ///< [rows, inputs]
    Rows<const float> start;  ///< [rows, outputs], the bias or what earlier inputs came to
    const float* weights;     ///< [inputs, outputs]
    Rows<float> y;            ///< [rows, outputs]; neither x nor start
    i32 inputs;
    i32 outputs;
    bool relu;
};

/// NaN stays NaN.
BARSWEEP_HD constexpr float relu(float x)
{
    return 0 > x ? 0 : x;
}

/// Outputs `column` to column + width - 1 of `rows` rows. Every output is start, then plus x[k]
/// w[k] with k ascending, each product and each sum rounded: no width, block or device changes a
/// bit.
template <int rows, int width>
BARSWEEP_HD constexpr void affine_tile(const Affine& layer, i32 column)
{
    float sum[rows][width];
    for (int r = 0; r < rows; ++r) {
        const float* start = layer.start.data + r * layer.start.stride + column;
        for (int j = 0; j < width; ++j) sum[r][j] = start[j];
    }
    const float* weights = layer.weights + column;
    for (i32 k = 0; k < layer.inputs; ++k, weights += layer.outputs) {
        for (int r = 0; r < rows; ++r) {
            const float x = layer.x.data[r * layer.x.stride + k];
            for (int j = 0; j < width; ++j) sum[r][j] += x * weights[j];
        }
    }
    for (int r = 0; r < rows; ++r) {
        float* y = layer.y.data + r * layer.y.stride + column;
        for (int j = 0; j < width; ++j) y[j] = layer.relu ? relu(sum[r][j]) : sum[r][j];
    }
}

#if defined(__CUDACC__)
inline constexpr bool vector_registers = false;  // a GPU's thread is one lane itself
#else
inline constexpr bool vector_registers = true;
#endif

/// All outputs of `rows` rows, in tiles that fit the registers of AVX-512: weights are read once
/// for them all.
template <int rows>
BARSWEEP_HD constexpr void affine(const Affine& layer)
{
    i32 column = 0;
    if constexpr (vector_registers && rows == 1) {
        for (; column + 256 <= layer.outputs; column += 256) affine_tile<1, 256>(layer, column);
    }
    if constexpr (vector_registers) {
        for (; column + 64 <= layer.outputs; column += 64) affine_tile<rows, 64>(layer, column);
    }
    for (; column + 16 <= layer.outputs; column += 16) affine_tile<rows, 16>(layer, column);
    for (; column + 4 <= layer.outputs; column += 4) affine_tile<rows, 4>(layer, column);
    for (; column < layer.outputs; ++column) affine_tile<rows, 1>(layer, column);
}

/// Layers `first` to the last of `rows` rows; `x` is what layer `first` takes in. `scratch` holds
/// rows * mlp_scratch(shape) floats; `x` may be its first half.
template <int rows>
BARSWEEP_HD constexpr void mlp_layers(const MlpShape& shape, int first, const float* parameters,
                                      Rows<const float> x, Rows<float> y, float* scratch)
{
    const i64 width = widest(shape);
    float* const halves[2] = {scratch, scratch + rows * width};
    for (int l = first; l < shape.layers; ++l) {
        const bool last = l + 1 == shape.layers;
        const Rows<float> out = last ? y : Rows<float>{halves[l % 2 == first % 2], width};
        affine<rows>({x,
                      {parameters + bias_offset(shape, l), 0},
                      parameters + weight_offset(shape, l),
                      out,
                      shape.sizes[l],
                      shape.sizes[l + 1],
                      !last});
        x = {out.data, out.stride};
    }
}

/// One row: x [inputs] to y [outputs]. A row's result depends on nothing else.
BARSWEEP_HD constexpr void mlp_row(const MlpShape& shape, const float* parameters, const float* x,
                                   float* y, float* scratch)
{
    mlp_layers<1>(shape, 0, parameters, {x, shape.inputs()}, {y, shape.outputs()}, scratch);
}

/// One network over many rows.
struct MlpArgs {
    MlpShape shape;
    View<const float> parameters;  ///< [parameter_count]
    View<const float> x;           ///< [rows, inputs]
    View<float> y;                 ///< [rows, outputs]
    View<float> scratch;           ///< [rows, mlp_scratch]
    i64 rows = 0;
};

/// Rows i to i + rows - 1.
template <int rows>
BARSWEEP_HD constexpr void mlp_block(const MlpArgs& args, i64 i)
{
    const MlpShape& shape = args.shape;
    mlp_layers<rows>(shape, 0, args.parameters.data,
                     {args.x.data + i * shape.inputs(), shape.inputs()},
                     {args.y.data + i * shape.outputs(), shape.outputs()},
                     args.scratch.data + i * mlp_scratch(shape));
}

/// The kernel: one row.
BARSWEEP_HD constexpr void mlp_one(const MlpArgs& args, i64 i)
{
    mlp_block<1>(args, i);
}

}  // namespace barsweep::kernels
