#include "backtest.hpp"

using namespace barsweep::kernels;

extern "C" __global__ void backtest(BacktestArgs args)
{
    const i64 i = i64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < args.totals.size) backtest_one(args, i);
}
