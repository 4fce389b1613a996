#include "mlp.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void mlp(MlpArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.rows) mlp_one(args, i);
}
