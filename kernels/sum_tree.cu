#include "sum_tree.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void draw(const DrawArgs* trials)
{
    const DrawArgs& args = trials[blockIdx.y];
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.picks.size) draw_one(args, i);
}

extern "C" __global__ void weigh(const WeighArgs* trials)
{
    const WeighArgs& args = trials[blockIdx.y];
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.drawn.size) weigh_one(args, i);
}

extern "C" __global__ void prioritise(const PrioritiseArgs* trials)
{
    if (threadIdx.x == 0) prioritise_one(trials[blockIdx.x]);
}
