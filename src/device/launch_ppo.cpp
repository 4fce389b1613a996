// The kernels of PPO beside its networks' passes, trial by trial.
#include "base/wide.hpp"
#include "device/launch.hpp"

namespace barsweep::device {
namespace {

using kernels::i64;

BARSWEEP_WIDE void run_act_categorical(const kernels::ActCategoricalArgs& args)
{
    for (i64 i = 0; i < args.actions.size; ++i) kernels::act_categorical_one(args, i);
}

BARSWEEP_WIDE void run_rollout_gather(const kernels::RolloutGatherArgs& args)
{
    for (i64 i = 0; i < args.picks.size; ++i) kernels::rollout_gather_one(args, i);
}

BARSWEEP_WIDE void run_ppo_loss(const kernels::PpoLossArgs& args)
{
    for (i64 i = 0; i < args.picks.size; ++i) kernels::ppo_loss_one(args, i);
}

}  // namespace

void act_categorical(Backend, std::span<const kernels::ActCategoricalArgs> trials)
{
    for (const auto& args : trials) run_act_categorical(args);
}

void rollout_gather(Backend, std::span<const kernels::RolloutGatherArgs> trials)
{
    for (const auto& args : trials) run_rollout_gather(args);
}

void advantage(Backend, std::span<const kernels::AdvantageArgs> trials)
{
    for (const auto& args : trials) {
        for (i64 lane = 0; lane < args.lanes; ++lane) kernels::advantage_one(args, lane);
    }
}

void shuffle(Backend, std::span<const kernels::ShuffleArgs> trials)
{
    for (const auto& args : trials) kernels::shuffle_one(args);
}

void normalise(Backend, std::span<const kernels::NormaliseArgs> trials)
{
    for (const auto& args : trials) kernels::normalise_one(args);
}

void ppo_loss(Backend, std::span<const kernels::PpoLossArgs> trials)
{
    for (const auto& args : trials) run_ppo_loss(args);
}

}  // namespace barsweep::device
