#include "act.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void act(const ActArgs* trials)
{
    const ActArgs& args = trials[blockIdx.y];
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.actions.size) act_one(args, i);
}
