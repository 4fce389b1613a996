#include "device/launch.hpp"

// The same source for wider vector units, picked when the program is loaded. Bits are the same:
// sums keep their order (kernels/moments.hpp) and nothing is contracted. The sanitizers run before
// the loader has picked.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BARSWEEP_WIDE [[gnu::target_clones("default", "avx2", "arch=x86-64-v4"), gnu::flatten]]
#else
#define BARSWEEP_WIDE
#endif

namespace barsweep::device {
namespace {

BARSWEEP_WIDE void run_backtest(const kernels::BacktestArgs& args)
{
    for (kernels::i64 i = 0; i < args.totals.size; ++i) kernels::backtest_one(args, i);
}

}  // namespace

void backtest(Backend, const kernels::BacktestArgs& args)
{
    run_backtest(args);
}

void philox_fill(Backend, const kernels::PhiloxFillArgs& args)
{
    for (kernels::i64 i = 0; 4 * i < args.words.size; ++i) kernels::philox_fill_one(args, i);
}

}  // namespace barsweep::device
