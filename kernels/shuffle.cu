#include "shuffle.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void shuffle(const ShuffleArgs* trials, i64 count)
{
    const i64 trial = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (trial < count) shuffle_one(trials[trial]);
}
