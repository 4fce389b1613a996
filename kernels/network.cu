// A pass of many trials, layer by layer; blockIdx.y is the trial. On a stream, for layers ascending:
// forward_product, forward_finish.
#include "network.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void forward_product(const ForwardArgs* trials, int layer)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const ForwardArgs& args = trials[blockIdx.y];
    if (layer >= args.shape.layers) return;
    const Product product = forward_product(args, layer);
    if (i < product_elements(product)) product_one(product, i);
}

/// One row; where outputs alone are kept, work must still hold all rows.
extern "C" __global__ void forward_finish(const ForwardArgs* trials, int layer)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const ForwardArgs& args = trials[blockIdx.y];
    if (layer >= args.shape.layers || !unfinished(args.shape, layer) || i >= args.rows) return;
    finish_row(args.shape, args.parameters.data, layer,
               args.work.data + i * work_stride(args.shape));
}
