#pragma once
#include <span>

#include "agents/dqn_learner_memory.hpp"
#include "agents/together.hpp"
#include "device/buffer.hpp"

namespace barsweep::agents {

/// All that a learner is. What `save` keeps: the counters, the lanes, the filled part of replay and
/// its priorities, the four rows of parameters and moments; the rest follows from the plan.
struct DqnLearner::State {
    State(Lanes around, const DqnConfig& chosen, std::uint64_t stream, std::int64_t last);

    using Group = std::span<State* const>;

    static void step(Group group);
    static void collect(Group group);  ///< one lock-step of the lanes by the policies as they stand
    static void update(Group group);   ///< one of each: its stages follow
    static void draw(Group group);
    static void gather(Group group);
    static void pass(Group group);
    static void descend(Group group);
    static void move(Group group);

    /// A pass over rows of x: at once by LibTorch, or with the group's others. `outputs`: where
    /// they go if nothing else is kept.
    void add_forward(Together<kernels::ForwardArgs>& passes, kernels::View<float> parameters,
                     kernels::View<float> x, std::int64_t rows,
                     kernels::View<float> outputs = {}) const;

    std::int64_t filled() const;       ///< transitions in the ring, slots 0 to this
    std::int64_t promises() const;     ///< next states of a minibatch
    std::int64_t states_size() const;  ///< floats of a minibatch's states

    Lanes lanes;
    DqnConfig config;
    std::uint64_t key;
    std::int64_t last_rung;
    kernels::MlpShape shape;
    kernels::Head head;
    device::Buffer<std::byte> bytes;
    DqnMemory memory;
    std::int64_t steps = 0;
    std::int64_t updates = 0;
    std::int64_t due = 0;  ///< updates that this lock-step still owes
    std::exception_ptr failure;
};

}  // namespace barsweep::agents
