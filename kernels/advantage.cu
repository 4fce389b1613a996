#include "advantage.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void advantage(const AdvantageArgs* trials)
{
    const AdvantageArgs& args = trials[blockIdx.y];
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.lanes) advantage_one(args, i);
}
