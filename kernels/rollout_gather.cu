#include "rollout_gather.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void rollout_gather(const RolloutGatherArgs* trials)
{
    const RolloutGatherArgs& args = trials[blockIdx.y];
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.picks.size) rollout_gather_one(args, i);
}
