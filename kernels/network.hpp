#pragma once
#include "activation.hpp"
#include "layer_norm.hpp"

namespace barsweep::kernels {

/// What a hidden layer keeps of a row for the way back, one after the other: where it is
/// normalised, the normalised units [padded] and the deviation's reciprocal [row_unit]; of SiLU
/// what it takes in [padded]; what it puts out [padded]. The last layer: what it puts out.
struct Kept {
    i64 normalised;
    i64 reciprocal;
    i64 taken;
    i64 output;
    i64 end;
};

BARSWEEP_HD constexpr Kept kept_by(const MlpShape& shape, int layer)
{
    Kept kept = {};
    for (int l = 0; l <= layer; ++l) {
        const i64 width = padded(shape.sizes[l + 1]);
        kept.normalised = kept.end;
        kept.reciprocal = kept.normalised + (shape.normalised(l) ? width : 0);
        kept.taken = kept.reciprocal + (shape.normalised(l) ? row_unit : 0);
        kept.output =
            kept.taken + (l + 1 < shape.layers && shape.activation == Activation::silu ? width : 0);
        kept.end = kept.output + width;
    }
    return kept;
}

/// Floats of one row of work: everything that a pass keeps of it lies together, so a backward pass
/// may be of fewer rows than the forward pass was.
BARSWEEP_HD constexpr i64 work_stride(const MlpShape& shape)
{
    return kept_by(shape, shape.layers - 1).end;
}

BARSWEEP_HD constexpr i64 network_work(const MlpShape& shape, i64 rows)
{
    return rows * work_stride(shape);
}

/// [rows, padded(outputs)] inside work.
BARSWEEP_HD constexpr Rows<float> outputs_of(const MlpShape& shape, float* work)
{
    return {work + kept_by(shape, shape.layers - 1).output, work_stride(shape)};
}

/// A network over many rows.
struct ForwardArgs {
    MlpShape shape;
    View<const float> parameters;  ///< [parameter_count]
    Rows<const float> x;           ///< [rows, inputs]
    i64 rows = 0;
    View<float> work;  ///< [network_work(shape, rows)]; where only outputs are kept, of as many
                       ///< rows as go through it at a time
    /// [rows, padded(outputs)] where nothing but outputs is kept: they go here, and no backward
    /// pass can follow. Null: they stay in work.
    Rows<float> outputs = {nullptr, 0};
};

/// Rows that go through work at a time where only outputs are kept.
inline constexpr i64 passing_rows = 64;

/// Floats of work where only outputs are kept.
BARSWEEP_HD constexpr i64 passing_work(const MlpShape& shape, i64 rows)
{
    return network_work(shape, rows < passing_rows ? rows : passing_rows);
}

/// What layer `layer` takes in.
BARSWEEP_HD constexpr Rows<const float> inputs_of(const MlpShape& shape, Rows<const float> x,
                                                  const float* work, int layer)
{
    if (layer == 0) return x;
    return {work + kept_by(shape, layer - 1).output, work_stride(shape)};
}

/// The affine part of a layer.
BARSWEEP_HD constexpr Product affine_of(const MlpShape& shape, const float* parameters, int layer,
                                        Rows<const float> x, Rows<float> y, i64 rows)
{
    const i32 width = padded(shape.sizes[layer + 1]);
    const bool relu =
        layer + 1 < shape.layers && !shape.layer_norm && shape.activation == Activation::relu;
    return {x.data,
            x.stride,
            1,
            {parameters + weight_offset(shape, layer), width},
            {parameters + bias_offset(shape, layer), 0},
            y,
            rows,
            width,
            shape.sizes[layer],
            relu ? End::relu : End::plain};
}

/// Where the affine part of a layer goes inside a row of work.
BARSWEEP_HD constexpr i64 affine_into(const MlpShape& shape, int layer)
{
    const Kept kept = kept_by(shape, layer);
    return shape.normalised(layer) ? kept.normalised : kept.taken;
}

/// True where `finish_row` has something to do.
BARSWEEP_HD constexpr bool unfinished(const MlpShape& shape, int layer)
{
    return layer + 1 < shape.layers && (shape.layer_norm || shape.activation != Activation::relu);
}

/// Normalisation and activation of one row whose affine part stands in its row of work.
BARSWEEP_HD constexpr void finish_row(const MlpShape& shape, const float* parameters, int layer,
                                      float* row)
{
    const Kept kept = kept_by(shape, layer);
    const i32 units = shape.sizes[layer + 1];
    const i32 width = padded(units);
    float* const taken = row + kept.taken;
    if (shape.normalised(layer)) {
        row[kept.reciprocal] = normalise(row + kept.normalised, units);
        scale_and_shift(row + kept.normalised, parameters + gain_offset(shape, layer),
                        parameters + shift_offset(shape, layer), taken, width);
    }
    activate(shape.activation, taken, row + kept.output, width);
}

/// What follows the affine part of layer `layer`, over all rows.
BARSWEEP_HD constexpr void finish(const ForwardArgs& args, int layer)
{
    if (!unfinished(args.shape, layer)) return;
    const i64 stride = work_stride(args.shape);
    for (i64 r = 0; r < args.rows; ++r) {
        finish_row(args.shape, args.parameters.data, layer, args.work.data + r * stride);
    }
}

/// The affine part of layer `layer` of all rows.
BARSWEEP_HD constexpr Product forward_product(const ForwardArgs& args, int layer)
{
    const MlpShape& shape = args.shape;
    const bool leaves = layer + 1 == shape.layers && args.outputs.data != nullptr;
    const Rows<float> into = {args.work.data + affine_into(shape, layer), work_stride(shape)};
    return affine_of(shape, args.parameters.data, layer,
                     inputs_of(shape, args.x, args.work.data, layer), leaves ? args.outputs : into,
                     args.rows);
}

/// Layers `first` to the last; what goes into layer `first` stands in work, or is x.
template <class Multiply>
BARSWEEP_HD constexpr void forward_from(const ForwardArgs& args, int first)
{
    for (int l = first; l < args.shape.layers; ++l) {
        Multiply::run(forward_product(args, l));
        finish(args, l);
    }
}

template <class Multiply>
BARSWEEP_HD constexpr void forward(const ForwardArgs& args)
{
    if (args.outputs.data == nullptr) {
        forward_from<Multiply>(args, 0);
        return;
    }
    ForwardArgs part = args;
    for (i64 row = 0; row < args.rows; row += passing_rows) {
        const i64 left = args.rows - row;
        part.rows = left < passing_rows ? left : passing_rows;
        part.x.data = args.x[row];
        part.outputs.data = args.outputs[row];
        forward_from<Multiply>(part, 0);
    }
}

}  // namespace barsweep::kernels
