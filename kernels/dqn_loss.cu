#include "dqn_loss.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void dqn_loss(const DqnLossArgs* trials)
{
    const DqnLossArgs& args = trials[blockIdx.y];
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.losses.size) dqn_loss_one(args, i);
}
