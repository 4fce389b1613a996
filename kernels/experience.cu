#include "experience.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void experience(ExperienceArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.lanes.size) experience_one(args, i);
}
