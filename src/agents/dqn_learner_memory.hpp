#pragma once
#include <cstddef>

#include "agents/dqn_learner.hpp"
#include "kernels/network_backward.hpp"

namespace barsweep::agents {

/// Where everything lies that a learner of DQN works in: one piece of memory, views into it.
struct DqnMemory {
    // Networks and optimiser, [parameter_count].
    kernels::View<float> online, target, first, second, gradient;
    kernels::View<double> square;        ///< [1] sum of squares of the gradient
    kernels::View<double> leaves;        ///< of that sum
    kernels::View<kernels::i32> finite;  ///< [1]

    // What passes keep.
    kernels::View<float> work;      ///< of the online network at the states
    kernels::View<float> scratch;   ///< of the way back
    kernels::View<float> delta;     ///< [batch, padded(outputs)]
    kernels::View<float> next;      ///< [promises or lanes, padded(outputs)] of the online network
    kernels::View<float> promised;  ///< [promises, padded(outputs)] of the target network

    // A lock-step.
    kernels::View<float> observations;   ///< [lanes, inputs]
    kernels::View<kernels::i8> actions;  ///< [lanes]

    // A minibatch; `promises`: batch, or batch * levels where all actions are learned from.
    kernels::View<kernels::i64> picks;  ///< [batch] slots of the ring
    kernels::View<kernels::u64> drawn;  ///< [batch] their priorities; empty without
    kernels::View<float> weights;       ///< [batch]; empty without priorities
    kernels::View<float> states;        ///< [batch + promises, inputs]: states, then next states
    kernels::View<kernels::i32> taken;  ///< [batch]
    kernels::View<float> rewards;       ///< [promises] scaled
    kernels::View<float> discounts;     ///< [promises]
    kernels::View<float> losses;        ///< [batch] shares of the batch's
    kernels::View<float> errors;        ///< [batch]

    // Replay.
    kernels::View<kernels::u64> tree;          ///< of priorities; empty without
    kernels::View<kernels::u64> largest;       ///< [1] priority so far
    kernels::View<kernels::Transition> ring;   ///< [buffer]
    kernels::View<kernels::Account> accounts;  ///< [buffer]; empty where only one action is learned

    std::int64_t bytes = 0;   ///< of it all
    std::int64_t zeroed = 0;  ///< of these the first ones must be 0 at the start
};

/// Lays it out from `start`; nullptr: for its size alone.
DqnMemory lay_out(const DqnConfig& config, const Lanes& lanes, std::byte* start);

}  // namespace barsweep::agents
