// Of several trials one after the other: a trial's parameters stay in the cache while it runs.
#include "base/wide.hpp"
#include "device/launch.hpp"
#include "device/tiled.hpp"

namespace barsweep::device {
namespace {

using kernels::i64;

struct Forward {
    template <class Multiply>
    static void run(const kernels::ForwardArgs& args)
    {
        kernels::forward<Multiply>(args);
    }
};

struct Backward {
    template <class Multiply>
    static void run(const kernels::BackwardArgs& args)
    {
        kernels::backward<Multiply>(args);
    }
};

BARSWEEP_WIDE void run_square_sum(const kernels::SquareSumArgs& args)
{
    const i64 leaves = kernels::square_sum_leaves(args.row.size);
    for (i64 i = 0; i < leaves; ++i) kernels::square_sum_one(args, i);
    kernels::square_sum_total(args);
}

BARSWEEP_WIDE void run_adam(const kernels::AdamArgs& args)
{
    kernels::adam_range(args, 0, args.parameters.size);
}

BARSWEEP_WIDE void run_blend(const kernels::BlendArgs& args)
{
    for (i64 i = 0; i < args.target.size; ++i) kernels::blend_one(args, i);
}

}  // namespace

void forward(Backend, std::span<const kernels::ForwardArgs> trials)
{
    for (const auto& args : trials) run_tiled<Forward>(args);
}

void backward(Backend, std::span<const kernels::BackwardArgs> trials)
{
    for (const auto& args : trials) run_tiled<Backward>(args);
}

void square_sum(Backend, std::span<const kernels::SquareSumArgs> trials)
{
    for (const auto& args : trials) run_square_sum(args);
}

void adam(Backend, std::span<const kernels::AdamArgs> trials)
{
    for (const auto& args : trials) run_adam(args);
}

void blend(Backend, std::span<const kernels::BlendArgs> trials)
{
    for (const auto& args : trials) run_blend(args);
}

}  // namespace barsweep::device
