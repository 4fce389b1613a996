#include "experience.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void fused_experience(FusedExperienceArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.trials.size * args.lanes) fused_experience_one(args, i);
}
