// One parameter a thread; blockIdx.y is the trial.
#include "adam.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void adam(const AdamArgs* trials)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    const AdamArgs& args = trials[blockIdx.y];
    if (i < args.parameters.size) adam_range(args, i, i + 1);
}
