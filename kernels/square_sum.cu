// blockIdx.y is the trial. One leaf a thread, then one sum of leaves a thread.
#include "square_sum.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void square_sum(const SquareSumArgs* trials)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const SquareSumArgs& args = trials[blockIdx.y];
    if (i < square_sum_leaves(args.row.size)) square_sum_one(args, i);
}

extern "C" __global__ void square_sum_leaves_total(const SquareSumArgs* trials, i64 count)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) square_sum_total(trials[i]);
}
