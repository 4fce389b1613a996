#include "ppo_loss.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void ppo_loss(const PpoLossArgs* trials)
{
    const PpoLossArgs& args = trials[blockIdx.y];
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.picks.size) ppo_loss_one(args, i);
}
