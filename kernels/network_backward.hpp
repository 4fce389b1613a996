#pragma once
#include "network.hpp"

namespace barsweep::kernels {

/// The gradient of a loss by all parameters.
struct BackwardArgs {
    MlpShape shape;
    View<const float> parameters;  ///< [parameter_count]
    Rows<const float> x;           ///< [rows, inputs]
    i64 rows = 0;
    View<float> work;      ///< as the forward pass of the same rows, or of more, left it; used up:
                           ///< what a hidden layer put out becomes the loss by it
    View<float> delta;     ///< [rows, padded(outputs)], loss by outputs; 0 beyond the outputs
    View<float> scratch;   ///< [backward_scratch(shape, rows)]
    View<float> gradient;  ///< [parameter_count], overwritten
};

/// Inputs of a layer whose weights are turned over at a time.
inline constexpr i32 turned_inputs = 64;

/// Floats for the turned weights: [outputs, turned_inputs] of the widest layer but the first.
BARSWEEP_HD constexpr i64 backward_scratch(const MlpShape& shape, i64)
{
    i32 widest = 0;
    for (int l = 1; l < shape.layers; ++l) {
        const i32 width = padded(shape.sizes[l + 1]);
        widest = width > widest ? width : widest;
    }
    return i64{widest} * turned_inputs;
}

/// Sums over rows ascending, [columns]: fused with 1 is a plain sum.
BARSWEEP_HD constexpr Product sums_over_rows(Rows<const float> delta, i64 rows, i32 columns,
                                             const float* one, float* sums)
{
    return {one, 0, 0, delta, {nullptr, 0}, {sums, 0}, 1, columns, rows};
}

/// Of one layer: x [rows, inputs] turned over, times delta [rows, padded outputs].
BARSWEEP_HD constexpr Product weight_gradient(const MlpShape& shape, int layer, Rows<const float> x,
                                              Rows<const float> delta, i64 rows, float* gradient)
{
    const i32 width = padded(shape.sizes[layer + 1]);
    return {x.data,
            1,
            x.stride,
            delta,
            {nullptr, 0},
            {gradient + weight_offset(shape, layer), width},
            shape.sizes[layer],
            width,
            rows};
}

/// The weights of inputs `first` on, at most turned_inputs of them, outputs by inputs.
BARSWEEP_HD constexpr Turn turned_weights(const MlpShape& shape, int layer, const float* parameters,
                                          i32 first, float* to)
{
    const i32 width = padded(shape.sizes[layer + 1]);
    const i32 left = shape.sizes[layer] - first;
    return {{parameters + weight_offset(shape, layer) + i64{first} * width, width},
            {to, turned_inputs},
            left < turned_inputs ? left : turned_inputs,
            width};
}

/// Loss by what layer `layer` takes in, from inputs `first` on, over what stands there.
BARSWEEP_HD constexpr Product input_gradient(const MlpShape& shape, int layer, float* work,
                                             Rows<const float> delta, const Turn& turned, i64 rows,
                                             i32 first)
{
    const Rows<float> below = {work + kept_by(shape, layer - 1).output + first, work_stride(shape)};
    return {delta.data,
            delta.stride,
            1,
            {turned.to.data, turned.to.stride},
            {nullptr, 0},
            below,
            rows,
            padded(turned.rows),
            shape.sizes[layer + 1],
            slope_of(shape.activation),
            {below.data, below.stride}};
}

/// What goes down through layer `layer`: loss by what it puts out before its activation.
BARSWEEP_HD constexpr Rows<const float> delta_of(const BackwardArgs& args, int layer)
{
    if (layer + 1 == args.shape.layers) return {args.delta.data, padded(args.shape.outputs())};
    return {args.work.data + kept_by(args.shape, layer).output, work_stride(args.shape)};
}

/// Units `from` to `to` - 1 of a normalised layer: sums of delta * normalised and of delta over
/// rows ascending are the gradients of gain and shift.
BARSWEEP_HD constexpr void gain_gradient(const BackwardArgs& args, int layer, i32 from, i32 to)
{
    const Kept kept = kept_by(args.shape, layer);
    float* const gain = args.gradient.data + gain_offset(args.shape, layer);
    float* const shift = args.gradient.data + shift_offset(args.shape, layer);
    for (i32 j = from; j < to; ++j) gain[j] = shift[j] = 0;
    for (i64 r = 0; r < args.rows; ++r) {
        const float* row = args.work.data + r * work_stride(args.shape);
        const float* delta = row + kept.output;
        const float* normalised = row + kept.normalised;
        for (i32 j = from; j < to; ++j) {
            gain[j] = fused(delta[j], normalised[j], gain[j]);
            shift[j] += delta[j];
        }
    }
}

/// Loss by what a hidden layer put out, of row `row`, becomes loss by what its activation took in.
/// ReLU and tanh need no more than the product's end.
BARSWEEP_HD constexpr void through_silu_row(const BackwardArgs& args, int layer, i64 row)
{
    const Kept kept = kept_by(args.shape, layer);
    float* const kept_row = args.work.data + row * work_stride(args.shape);
    through_silu(kept_row + kept.taken, kept_row + kept.output, args.shape.sizes[layer + 1]);
}

/// And then loss by its affine part, where it is normalised.
BARSWEEP_HD constexpr void through_normalisation_row(const BackwardArgs& args, int layer, i64 row)
{
    const Kept kept = kept_by(args.shape, layer);
    float* const kept_row = args.work.data + row * work_stride(args.shape);
    through_normalisation(kept_row + kept.normalised, kept_row[kept.reciprocal],
                          args.parameters.data + gain_offset(args.shape, layer),
                          kept_row + kept.output, args.shape.sizes[layer + 1]);
}

BARSWEEP_HD constexpr void through_layer(const BackwardArgs& args, int layer)
{
    if (args.shape.activation == Activation::silu) {
        for (i64 r = 0; r < args.rows; ++r) through_silu_row(args, layer, r);
    }
    if (!args.shape.normalised(layer)) return;
    gain_gradient(args, layer, 0, padded(args.shape.sizes[layer + 1]));
    for (i64 r = 0; r < args.rows; ++r) through_normalisation_row(args, layer, r);
}

/// The gradient of layer `layer`'s weights.
BARSWEEP_HD constexpr Product backward_weights(const BackwardArgs& args, int layer)
{
    return weight_gradient(args.shape, layer, inputs_of(args.shape, args.x, args.work.data, layer),
                           delta_of(args, layer), args.rows, args.gradient.data);
}

/// The gradient of its biases; `one`: a 1 that stays while the product runs.
BARSWEEP_HD constexpr Product backward_biases(const BackwardArgs& args, int layer, const float* one)
{
    return sums_over_rows(delta_of(args, layer), args.rows, padded(args.shape.sizes[layer + 1]),
                          one, args.gradient.data + bias_offset(args.shape, layer));
}

BARSWEEP_HD constexpr Turn backward_turn(const BackwardArgs& args, int layer, i32 first)
{
    return turned_weights(args.shape, layer, args.parameters.data, first, args.scratch.data);
}

/// Loss by inputs `first` on of layer `layer`, at most turned_inputs of them.
BARSWEEP_HD constexpr Product backward_inputs(const BackwardArgs& args, int layer, i32 first)
{
    return input_gradient(args.shape, layer, args.work.data, delta_of(args, layer),
                          backward_turn(args, layer, first), args.rows, first);
}

/// From the last layer's deltas down.
template <class Multiply>
BARSWEEP_HD constexpr void backward(const BackwardArgs& args)
{
    const float one = 1;
    for (int l = args.shape.layers - 1; l >= 0; --l) {
        Multiply::run(backward_weights(args, l));
        Multiply::run(backward_biases(args, l, &one));
        if (l == 0) return;
        for (i32 first = 0; first < args.shape.sizes[l]; first += turned_inputs) {
            Multiply::run(backward_turn(args, l, first));
            Multiply::run(backward_inputs(args, l, first));
        }
        through_layer(args, l - 1);
    }
}

}  // namespace barsweep::kernels
