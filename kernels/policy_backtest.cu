#include "policy_backtest.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void policy_backtest(PolicyBacktestArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.run.totals.size) policy_backtest_one<MultiplyInThread>(args, i);
}
