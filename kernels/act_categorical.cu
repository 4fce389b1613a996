#include "act_categorical.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void act_categorical(const ActCategoricalArgs* trials)
{
    const ActCategoricalArgs& args = trials[blockIdx.y];
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.actions.size) act_categorical_one(args, i);
}
