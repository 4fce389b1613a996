#include "act.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void act(ActArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.actions.size) act_one(args, i);
}
