// The kernels of DQN beside its network's passes, trial by trial.
#include "base/wide.hpp"
#include "device/launch.hpp"

namespace barsweep::device {
namespace {

using kernels::i64;

BARSWEEP_WIDE void run_act(const kernels::ActArgs& args)
{
    for (i64 i = 0; i < args.actions.size; ++i) kernels::act_one(args, i);
}

BARSWEEP_WIDE void run_weigh(const kernels::WeighArgs& args)
{
    for (i64 i = 0; i < args.drawn.size; ++i) kernels::weigh_one(args, i);
}

/// What a gather reads lies anywhere: all of it is asked for before the first row is waited for.
void fetch_ahead(const kernels::ReplayGatherArgs& args)
{
    constexpr i64 line = 64;
    const auto fetch = [](const void* from, i64 bytes) {
        const char* const first = static_cast<const char*>(from);
        for (i64 at = 0; at < bytes + line; at += line) __builtin_prefetch(first + at);
    };
    for (i64 i = 0; i < args.picks.size; ++i) {
        fetch(&args.ring[args.picks[i]], static_cast<i64>(sizeof(kernels::Transition)));
    }
    const i64 bytes = args.feature_count * static_cast<i64>(sizeof(float));
    for (i64 i = 0; i < args.picks.size; ++i) {
        fetch(args.features.data + i64{args.ring[args.picks[i]].row} * args.feature_count,
              2 * bytes);
    }
}

BARSWEEP_WIDE void run_replay_gather(const kernels::ReplayGatherArgs& args)
{
    fetch_ahead(args);
    for (i64 i = 0; i < args.picks.size; ++i) kernels::replay_gather_one(args, i);
}

BARSWEEP_WIDE void run_dqn_loss(const kernels::DqnLossArgs& args)
{
    for (i64 i = 0; i < args.losses.size; ++i) kernels::dqn_loss_one(args, i);
}

}  // namespace

void act(Backend, std::span<const kernels::ActArgs> trials)
{
    for (const auto& args : trials) run_act(args);
}

void draw(Backend, std::span<const kernels::DrawArgs> trials)
{
    for (const auto& args : trials) {
        for (i64 i = 0; i < args.picks.size; ++i) kernels::draw_one(args, i);
    }
}

void weigh(Backend, std::span<const kernels::WeighArgs> trials)
{
    for (const auto& args : trials) run_weigh(args);
}

void replay_gather(Backend, std::span<const kernels::ReplayGatherArgs> trials)
{
    for (const auto& args : trials) run_replay_gather(args);
}

void dqn_loss(Backend, std::span<const kernels::DqnLossArgs> trials)
{
    for (const auto& args : trials) run_dqn_loss(args);
}

void prioritise(Backend, std::span<const kernels::PrioritiseArgs> trials)
{
    for (const auto& args : trials) kernels::prioritise_one(args);
}

void counterfactual(Backend, const kernels::CounterfactualArgs& args)
{
    for (i64 i = 0; i < args.rewards.size; ++i) kernels::counterfactual_one(args, i);
}

}  // namespace barsweep::device
