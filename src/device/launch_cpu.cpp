#include "base/wide.hpp"
#include "device/launch.hpp"
#include "device/tiled.hpp"

namespace barsweep::device {
namespace {

BARSWEEP_WIDE void run_backtest(const kernels::BacktestArgs& args)
{
    for (kernels::i64 i = 0; i < args.totals.size; ++i) kernels::backtest_one(args, i);
}

struct PolicyBacktest {
    template <class Multiply>
    static void run(const kernels::PolicyBacktestArgs& args)
    {
        for (kernels::i64 i = 0; i < args.run.totals.size; ++i) {
            kernels::policy_backtest_one<Multiply>(args, i);
        }
    }
};

}  // namespace

void backtest(Backend, const kernels::BacktestArgs& args)
{
    run_backtest(args);
}

void philox_fill(Backend, const kernels::PhiloxFillArgs& args)
{
    for (kernels::i64 i = 0; 4 * i < args.words.size; ++i) kernels::philox_fill_one(args, i);
}

void observe(Backend, const kernels::ObserveArgs& args)
{
    for (kernels::i64 i = 0; i < args.lanes.size; ++i) kernels::observe_one(args, i);
}

void experience(Backend, const kernels::ExperienceArgs& args)
{
    for (kernels::i64 i = 0; i < args.lanes.size; ++i) kernels::experience_one(args, i);
}

void fused_experience(Backend, const kernels::FusedExperienceArgs& args)
{
    const kernels::i64 lanes = args.trials.size * args.lanes;
    for (kernels::i64 i = 0; i < lanes; ++i) kernels::fused_experience_one(args, i);
}

void fused_experience_given(Backend, const kernels::FusedExperienceGivenArgs& args)
{
    for (kernels::i64 i = 0; i < args.runs.size; ++i) kernels::fused_experience_given_one(args, i);
}

void policy_backtest(Backend, const kernels::PolicyBacktestArgs& args)
{
    run_tiled<PolicyBacktest>(args);
}

}  // namespace barsweep::device
