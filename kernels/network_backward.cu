// A backward pass of many trials; blockIdx.y is the trial. On a stream, for layers descending:
// backward_weights, backward_biases, then but for layer 0 for every turned_inputs inputs
// backward_turn and backward_inputs, then of the layer below backward_silu, backward_gain,
// backward_normalised.
#include "network_backward.hpp"

using namespace barsweep::kernels;

__device__ const float one = 1;

extern "C" __global__ void backward_weights(const BackwardArgs* trials, int layer)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const BackwardArgs& args = trials[blockIdx.y];
    if (layer >= args.shape.layers) return;
    const Product product = backward_weights(args, layer);
    if (i < product_elements(product)) product_one(product, i);
}

extern "C" __global__ void backward_biases(const BackwardArgs* trials, int layer)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const BackwardArgs& args = trials[blockIdx.y];
    if (layer >= args.shape.layers) return;
    const Product product = backward_biases(args, layer, &one);
    if (i < product_elements(product)) product_one(product, i);
}

extern "C" __global__ void backward_turn(const BackwardArgs* trials, int layer, i32 first)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const BackwardArgs& args = trials[blockIdx.y];
    if (layer >= args.shape.layers || first >= args.shape.sizes[layer]) return;
    const Turn turn = backward_turn(args, layer, first);
    if (i < turn_elements(turn)) turn_one(turn, i);
}

extern "C" __global__ void backward_inputs(const BackwardArgs* trials, int layer, i32 first)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const BackwardArgs& args = trials[blockIdx.y];
    if (layer >= args.shape.layers || first >= args.shape.sizes[layer]) return;
    const Product product = backward_inputs(args, layer, first);
    if (i < product_elements(product)) product_one(product, i);
}

extern "C" __global__ void backward_silu(const BackwardArgs* trials, int layer)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const BackwardArgs& args = trials[blockIdx.y];
    if (layer + 1 >= args.shape.layers || args.shape.activation != Activation::silu) return;
    if (i < args.rows) through_silu_row(args, layer, i);
}

extern "C" __global__ void backward_gain(const BackwardArgs* trials, int layer)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const BackwardArgs& args = trials[blockIdx.y];
    if (!args.shape.normalised(layer) || i >= padded(args.shape.sizes[layer + 1])) return;
    gain_gradient(args, layer, static_cast<i32>(i), static_cast<i32>(i) + 1);
}

extern "C" __global__ void backward_normalised(const BackwardArgs* trials, int layer)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const BackwardArgs& args = trials[blockIdx.y];
    if (args.shape.normalised(layer) && i < args.rows) through_normalisation_row(args, layer, i);
}
