#include "philox_fill.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void philox_fill(PhiloxFillArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (4 * i < args.words.size) philox_fill_one(args, i);
}
