#pragma once
#include "network.hpp"

namespace barsweep::kernels {

/// The gradient of a loss by all parameters.
struct BackwardArgs {
    MlpShape shape;
    View<const float> parameters;  ///< [parameter_count]
    Rows<const float> x;           ///< [rows, inputs]
    i64 rows = 0;
    View<float> work;      ///< as the forward pass of the same rows, or of more, left it
    View<float> delta;     ///< [rows, padded(outputs)], loss by outputs; 0 beyond the outputs
    View<float> scratch;   ///< [backward_scratch(shape, rows)]
    View<float> gradient;  ///< [parameter_count], overwritten
};

/// Rows of deltas and of transposed weights are so far apart: not a power of two, which would put
/// the rows of a tile into the same few lines of a cache.
BARSWEEP_HD constexpr i64 skewed(i32 units)
{
    return i64{padded(units)} + row_unit;
}

BARSWEEP_HD constexpr i32 widest_hidden(const MlpShape& shape)
{
    i32 width = 0;
    for (int l = 1; l < shape.layers; ++l) width = shape.sizes[l] > width ? shape.sizes[l] : width;
    return width;
}

/// Two layers' deltas, and the weights of one layer, outputs by inputs.
BARSWEEP_HD constexpr i64 backward_scratch(const MlpShape& shape, i64 rows)
{
    i64 weights = 0;
    for (int l = 1; l < shape.layers; ++l) {
        const i64 size = shape.sizes[l + 1] * skewed(shape.sizes[l]);
        weights = size > weights ? size : weights;
    }
    return 2 * rows * skewed(widest_hidden(shape)) + weights;
}

/// Sums over rows ascending, [columns]: fused with 1 is a plain sum.
BARSWEEP_HD constexpr Product sums_over_rows(Rows<const float> delta, i64 rows, i32 columns,
                                             const float* one, float* sums)
{
    return {one, 0, 0, delta, {nullptr, 0}, {sums, 0}, 1, columns, rows};
}

/// Of one layer: x [rows, inputs] transposed times delta [rows, padded outputs].
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

/// Row `output` of the transposed weights of a layer: [padded inputs], 0 beyond them.
BARSWEEP_HD constexpr void transpose_weights(const MlpShape& shape, int layer,
                                             const float* parameters, i64 output, float* turned)
{
    const i32 inputs = shape.sizes[layer];
    const i64 width = padded(shape.sizes[layer + 1]);
    const float* weights = parameters + weight_offset(shape, layer) + output;
    float* row = turned + output * skewed(inputs);
    for (i32 i = 0; i < inputs; ++i) row[i] = weights[i * width];
    for (i32 i = inputs; i < padded(inputs); ++i) row[i] = 0;
}

/// Loss by what layer `layer` takes in, from delta by what it puts out before its activation.
BARSWEEP_HD constexpr Product input_gradient(const MlpShape& shape, int layer, const float* work,
                                             Rows<const float> delta, const float* turned, i64 rows,
                                             Rows<float> below)
{
    const i32 inputs = shape.sizes[layer];
    const bool relu = !shape.layer_norm && shape.activation == Activation::relu;
    return {delta.data,
            delta.stride,
            1,
            {turned, skewed(inputs)},
            {nullptr, 0},
            below,
            rows,
            padded(inputs),
            shape.sizes[layer + 1],
            relu ? End::relu_slope : End::plain,
            inputs_of(shape, {nullptr, 0}, work, layer)};
}

/// Sums of delta * normalised and of delta over rows ascending: the gradients of gain and shift.
BARSWEEP_HD constexpr void gain_gradient(const MlpShape& shape, int layer, const float* work,
                                         Rows<const float> delta, i64 rows, float* gradient)
{
    const Rows<const float> normalised = {work + kept_by(shape, layer).normalised,
                                          work_stride(shape)};
    float* const gain = gradient + gain_offset(shape, layer);
    float* const shift = gradient + shift_offset(shape, layer);
    const i32 width = padded(shape.sizes[layer + 1]);
    for (i32 j = 0; j < width; ++j) gain[j] = shift[j] = 0;
    for (i64 r = 0; r < rows; ++r) {
        for (i32 j = 0; j < width; ++j) {
            gain[j] = fused(delta[r][j], normalised[r][j], gain[j]);
            shift[j] += delta[r][j];
        }
    }
}

/// From the last layer's deltas down.
template <class Multiply>
BARSWEEP_HD constexpr void backward(const BackwardArgs& args)
{
    const MlpShape& shape = args.shape;
    const float* const parameters = args.parameters.data;
    const float* const work = args.work.data;
    float* const gradient = args.gradient.data;
    const i64 stride = work_stride(shape);
    const i64 delta_stride = skewed(widest_hidden(shape));
    float* const halves[2] = {args.scratch.data, args.scratch.data + args.rows * delta_stride};
    float* const turned = args.scratch.data + 2 * args.rows * delta_stride;
    const float one = 1;

    Rows<const float> delta = {args.delta.data, padded(shape.outputs())};
    for (int l = shape.layers - 1;; --l) {
        const Rows<const float> x = inputs_of(shape, args.x, work, l);
        Multiply::run(weight_gradient(shape, l, x, delta, args.rows, gradient));
        Multiply::run(sums_over_rows(delta, args.rows, padded(shape.sizes[l + 1]), &one,
                                     gradient + bias_offset(shape, l)));
        if (l == 0) return;

        for (i64 j = 0; j < shape.sizes[l + 1]; ++j) {
            transpose_weights(shape, l, parameters, j, turned);
        }
        const Rows<float> below = {halves[l % 2], delta_stride};
        Multiply::run(input_gradient(shape, l, work, delta, turned, args.rows, below));
        if (unfinished(shape, l - 1)) {
            const Kept kept = kept_by(shape, l - 1);
            const i32 units = shape.sizes[l];
            for (i64 r = 0; r < args.rows; ++r) {
                const float* row = work + r * stride;
                through_activation(shape.activation, row + kept.taken, row + kept.output, below[r],
                                   padded(units));
            }
            if (shape.normalised(l - 1)) {
                gain_gradient(shape, l - 1, work, {below.data, below.stride}, args.rows, gradient);
                for (i64 r = 0; r < args.rows; ++r) {
                    const float* row = work + r * stride;
                    through_normalisation(row + kept.normalised, row[kept.reciprocal],
                                          parameters + gain_offset(shape, l - 1), below[r], units);
                }
            }
        }
        delta = {below.data, below.stride};
    }
}

}  // namespace barsweep::kernels
