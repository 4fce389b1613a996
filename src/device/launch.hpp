#pragma once
#include "device/buffer.hpp"
#include "kernels/act.hpp"
#include "kernels/backtest.hpp"
#include "kernels/experience.hpp"
#include "kernels/fused_experience_given.hpp"
#include "kernels/mlp.hpp"
#include "kernels/philox_fill.hpp"
#include "kernels/policy_backtest.hpp"
#include "kernels/replay_gather.hpp"

namespace barsweep::device {

/// Runs a kernel over all its elements and waits for it.
void backtest(Backend backend, const kernels::BacktestArgs& args);
void philox_fill(Backend backend, const kernels::PhiloxFillArgs& args);
void mlp(Backend backend, const kernels::MlpArgs& args);
void observe(Backend backend, const kernels::ObserveArgs& args);
void act(Backend backend, const kernels::ActArgs& args);
void experience(Backend backend, const kernels::ExperienceArgs& args);
void fused_experience(Backend backend, const kernels::FusedExperienceArgs& args);
void fused_experience_given(Backend backend, const kernels::FusedExperienceGivenArgs& args);
void policy_backtest(Backend backend, const kernels::PolicyBacktestArgs& args);
void replay_gather(Backend backend, const kernels::ReplayGatherArgs& args);

}  // namespace barsweep::device
