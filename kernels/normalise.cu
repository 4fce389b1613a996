#include "normalise.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void normalise(const NormaliseArgs* trials, i64 count)
{
    const i64 trial = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (trial < count) normalise_one(trials[trial]);
}
