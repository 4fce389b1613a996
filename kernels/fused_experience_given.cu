#include "fused_experience_given.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void fused_experience_given(FusedExperienceGivenArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.runs.size) fused_experience_given_one(args, i);
}
