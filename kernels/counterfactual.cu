#include "counterfactual.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void counterfactual(CounterfactualArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.rewards.size) counterfactual_one(args, i);
}
