#pragma once
#include <span>

#include "device/buffer.hpp"
#include "kernels/act.hpp"
#include "kernels/act_categorical.hpp"
#include "kernels/adam.hpp"
#include "kernels/advantage.hpp"
#include "kernels/backtest.hpp"
#include "kernels/blend.hpp"
#include "kernels/counterfactual.hpp"
#include "kernels/dqn_loss.hpp"
#include "kernels/experience.hpp"
#include "kernels/fused_experience_given.hpp"
#include "kernels/network_backward.hpp"
#include "kernels/normalise.hpp"
#include "kernels/philox_fill.hpp"
#include "kernels/policy_backtest.hpp"
#include "kernels/ppo_loss.hpp"
#include "kernels/replay_gather.hpp"
#include "kernels/rollout_gather.hpp"
#include "kernels/shuffle.hpp"
#include "kernels/square_sum.hpp"
#include "kernels/sum_tree.hpp"

namespace barsweep::device {

/// Runs a kernel over all its elements and waits for it.
void backtest(Backend backend, const kernels::BacktestArgs& args);
void philox_fill(Backend backend, const kernels::PhiloxFillArgs& args);
void observe(Backend backend, const kernels::ObserveArgs& args);
void experience(Backend backend, const kernels::ExperienceArgs& args);
void fused_experience(Backend backend, const kernels::FusedExperienceArgs& args);
void fused_experience_given(Backend backend, const kernels::FusedExperienceGivenArgs& args);
void policy_backtest(Backend backend, const kernels::PolicyBacktestArgs& args);
void counterfactual(Backend backend, const kernels::CounterfactualArgs& args);

/// Of several trials at once, each with arguments of its own: a trial's bits are the same in any
/// company.
void forward(Backend backend, std::span<const kernels::ForwardArgs> trials);
void backward(Backend backend, std::span<const kernels::BackwardArgs> trials);
void square_sum(Backend backend, std::span<const kernels::SquareSumArgs> trials);
void adam(Backend backend, std::span<const kernels::AdamArgs> trials);
void blend(Backend backend, std::span<const kernels::BlendArgs> trials);
void act(Backend backend, std::span<const kernels::ActArgs> trials);
void draw(Backend backend, std::span<const kernels::DrawArgs> trials);
void weigh(Backend backend, std::span<const kernels::WeighArgs> trials);
void replay_gather(Backend backend, std::span<const kernels::ReplayGatherArgs> trials);
void dqn_loss(Backend backend, std::span<const kernels::DqnLossArgs> trials);
void prioritise(Backend backend, std::span<const kernels::PrioritiseArgs> trials);
void act_categorical(Backend backend, std::span<const kernels::ActCategoricalArgs> trials);
void rollout_gather(Backend backend, std::span<const kernels::RolloutGatherArgs> trials);
void advantage(Backend backend, std::span<const kernels::AdvantageArgs> trials);
void shuffle(Backend backend, std::span<const kernels::ShuffleArgs> trials);
void normalise(Backend backend, std::span<const kernels::NormaliseArgs> trials);
void ppo_loss(Backend backend, std::span<const kernels::PpoLossArgs> trials);

}  // namespace barsweep::device
