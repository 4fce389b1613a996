// One parameter a thread; blockIdx.y is the trial.
#include "blend.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void blend(const BlendArgs* trials)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const BlendArgs& args = trials[blockIdx.y];
    if (i < args.target.size) blend_one(args, i);
}
