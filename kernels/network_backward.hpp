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

/// Sums of delta * normalised and of delta over rows ascending: the gradients of gain and shift.
BARSWEEP_HD constexpr void gain_gradient(const MlpShape& shape, int layer, const float* work,
                                         i64 rows, float* gradient)
{
    const Kept kept = kept_by(shape, layer);
    float* const gain = gradient + gain_offset(shape, layer);
    float* const shift = gradient + shift_offset(shape, layer);
    const i32 width = padded(shape.sizes[layer + 1]);
    for (i32 j = 0; j < width; ++j) gain[j] = shift[j] = 0;
    for (i64 r = 0; r < rows; ++r) {
        const float* row = work + r * work_stride(shape);
        const float* delta = row + kept.output;
        const float* normalised = row + kept.normalised;
        const i32 units = shape.sizes[layer + 1];
        for (i32 j = 0; j < units; ++j) {
            gain[j] = fused(delta[j], normalised[j], gain[j]);
            shift[j] += delta[j];
        }
    }
}

/// Loss by what hidden layer `layer` put out, where the product hasn't ended there, becomes loss by
/// its affine part.
BARSWEEP_HD constexpr void through_layer(const MlpShape& shape, int layer, const float* parameters,
                                         float* work, i64 rows, float* gradient)
{
    const Kept kept = kept_by(shape, layer);
    const i64 stride = work_stride(shape);
    const i32 units = shape.sizes[layer + 1];
    if (shape.activation == Activation::silu) {
        for (i64 r = 0; r < rows; ++r) {
            float* row = work + r * stride;
            through_silu(row + kept.taken, row + kept.output, units);
        }
    }
    if (!shape.normalised(layer)) return;
    gain_gradient(shape, layer, work, rows, gradient);
    for (i64 r = 0; r < rows; ++r) {
        float* row = work + r * stride;
        through_normalisation(row + kept.normalised, row[kept.reciprocal],
                              parameters + gain_offset(shape, layer), row + kept.output, units);
    }
}

/// From the last layer's deltas down.
template <class Multiply>
BARSWEEP_HD constexpr void backward(const BackwardArgs& args)
{
    const MlpShape& shape = args.shape;
    const float* const parameters = args.parameters.data;
    float* const work = args.work.data;
    float* const gradient = args.gradient.data;
    const float one = 1;

    Rows<const float> delta = {args.delta.data, padded(shape.outputs())};
    for (int l = shape.layers - 1;; --l) {
        const Rows<const float> x = inputs_of(shape, args.x, work, l);
        Multiply::run(weight_gradient(shape, l, x, delta, args.rows, gradient));
        Multiply::run(sums_over_rows(delta, args.rows, padded(shape.sizes[l + 1]), &one,
                                     gradient + bias_offset(shape, l)));
        if (l == 0) return;
        for (i32 first = 0; first < shape.sizes[l]; first += turned_inputs) {
            const Turn turned = turned_weights(shape, l, parameters, first, args.scratch.data);
            Multiply::run(turned);
            Multiply::run(input_gradient(shape, l, work, delta, turned, args.rows, first));
        }
        through_layer(shape, l - 1, parameters, work, args.rows, gradient);
        delta = {work + kept_by(shape, l - 1).output, work_stride(shape)};
    }
}

}  // namespace barsweep::kernels
