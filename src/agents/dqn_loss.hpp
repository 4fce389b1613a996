#pragma once
#include <cstdint>

#include "agents/dqn_update.hpp"

namespace barsweep::agents {

/// Values of both networks, [batch, actions] each.
struct BatchValues {
    const float* online;       ///< at the states
    const float* online_next;  ///< at the next states; read for double Q alone
    const float* target_next;  ///< of the target network at the next states
    std::int64_t batch;
    std::int64_t actions;
};

/// Mean Huber loss against r + gamma * continue * value of the next state, and its gradient by
/// `online` into `gradient` [batch, actions].
double dqn_loss(const BatchValues& values, const Minibatch& minibatch, const UpdateRules& rules,
                float* gradient);

}  // namespace barsweep::agents
