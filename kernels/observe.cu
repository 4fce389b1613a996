#include "experience.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void observe(ObserveArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.lanes.size) observe_one(args, i);
}
