#include "replay_gather.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void replay_gather(const ReplayGatherArgs* trials)
{
    const ReplayGatherArgs& args = trials[blockIdx.y];
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.picks.size) replay_gather_one(args, i);
}
