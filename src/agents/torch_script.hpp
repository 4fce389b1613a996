#pragma once
#include <optional>
#include <string>

#include "bars/features.hpp"
#include "sim/policy_run.hpp"

namespace barsweep::agents {

/// True where this program was built with LibTorch.
bool with_torch();

/// The policy as a TorchScript archive for others: forward(features [N, F] as a store holds them,
/// account [N, A] as kernels/observe.hpp writes them) -> [N, levels], a
/// value a level (of PPO: its logit), whatever the head is. Scaling is inside.
/// Sums may run in another order than ours, so values differ in the last digits.
/// None: this program was built without LibTorch.
std::optional<std::string> torch_script(const sim::Policy& policy, const bars::Scaling& scaling);

}  // namespace barsweep::agents
