#pragma once
#include <cstddef>

#include "agents/ppo_learner.hpp"
#include "kernels/network_backward.hpp"

namespace barsweep::agents {

/// Where everything lies that a learner of PPO works in: one piece of memory, views into it. The
/// step of lane l at lock-step t of a rollout has slot t * lanes + l; `slots` = rollout * lanes.
struct PpoMemory {
    // Both networks and their optimiser, the actor first: [parameter_count of both].
    kernels::View<float> parameters, first, second, gradient;
    kernels::View<double> square;        ///< [1] sum of squares of the gradient
    kernels::View<double> leaves;        ///< of that sum
    kernels::View<kernels::i32> finite;  ///< [1]

    // What passes keep; `chunk`: states valued in one pass.
    kernels::View<float> actor_work;    ///< of a minibatch
    kernels::View<float> critic_work;   ///< of a minibatch
    kernels::View<float> outputs;       ///< of lanes or of a chunk: [either, padded(outputs)]
    kernels::View<float> scratch;       ///< of the way back, of either
    kernels::View<float> actor_delta;   ///< [batch, padded(levels)]
    kernels::View<float> critic_delta;  ///< [batch, padded(1)]
    kernels::View<float> states;        ///< [the largest of batch, lanes and chunk, inputs]

    // A lock-step.
    kernels::View<kernels::i8> actions;  ///< [lanes]

    // A rollout.
    kernels::View<kernels::Transition> rollout;  ///< [slots]
    kernels::View<float> log_chance;             ///< [slots] of the action, when it was drawn
    kernels::View<float> values;                 ///< [slots] before the update
    kernels::View<float> advantages, returns;    ///< [slots]

    // A minibatch.
    kernels::View<kernels::i32> order;  ///< [slots] of an epoch: minibatch after minibatch
    kernels::View<float> scaling;     ///< [2] of its advantages; empty where they stay as they are
    kernels::View<float> losses;      ///< [batch] shares of the loss
    kernels::View<float> divergence;  ///< [batch] shares of KL(then, now)

    std::int64_t bytes = 0;  ///< of it all
};

/// States that are valued in one pass.
std::int64_t chunk_of(const PpoConfig& config, const Lanes& lanes);

/// Lays it out from `start`; nullptr: for its size alone.
PpoMemory lay_out(const PpoConfig& config, const Lanes& lanes, std::byte* start);

}  // namespace barsweep::agents
