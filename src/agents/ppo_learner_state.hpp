#pragma once
#include <span>

#include "agents/ppo_learner_memory.hpp"
#include "agents/together.hpp"
#include "device/buffer.hpp"

namespace barsweep::agents {

/// All that a learner is. What `save` keeps: the counters, the lanes, the rollout so far, the three
/// rows of parameters and moments; the rest follows from the plan.
struct PpoLearner::State {
    State(Lanes around, const PpoConfig& chosen, std::uint64_t stream, std::int64_t last);

    using Group = std::span<State* const>;

    static void step(Group group);
    static void collect(Group group);  ///< one lock-step of the lanes by the policies as they stand

    /// A whole rollout is judged, then learned from, a minibatch of each at a time.
    static void learn(Group group);
    void judge();
    void value_states(bool next, std::int64_t count, kernels::View<float> into);
    static void update(Group group);  ///< one minibatch of each: its stages follow
    static void draw(Group group);
    static void pass(Group group);
    static void descend(Group group);
    static void move(Group group);

    std::int64_t slots() const { return memory.rollout.size; }
    std::int64_t filled() const { return steps % slots(); }  ///< of the rollout at hand
    kernels::View<const kernels::i32> picks() const;         ///< of the minibatch at hand

    kernels::View<float> actor_part(kernels::View<float> row) const;
    kernels::View<float> critic_part(kernels::View<float> row) const;

    /// A pass: at once by LibTorch, or with the group's others.
    void add(Together<kernels::ForwardArgs>& passes, const kernels::ForwardArgs& pass) const;
    void add(Together<kernels::BackwardArgs>& passes, const kernels::BackwardArgs& pass) const;

    /// Passes of `states`. `outputs`: where no backward pass follows, they go there.
    void add_actor(Together<kernels::ForwardArgs>& passes, std::int64_t rows,
                   kernels::Rows<float> outputs = {nullptr, 0}) const;
    void add_critic(Together<kernels::ForwardArgs>& passes, std::int64_t rows,
                    kernels::Rows<float> outputs = {nullptr, 0}) const;
    void add_actor(Together<kernels::BackwardArgs>& passes, std::int64_t rows) const;
    void add_critic(Together<kernels::BackwardArgs>& passes, std::int64_t rows) const;

    Lanes lanes;
    PpoConfig config;
    std::uint64_t key;
    std::int64_t last_rung;
    kernels::MlpShape actor, critic;
    device::Buffer<std::byte> bytes;
    PpoMemory memory;
    std::int64_t steps = 0;
    std::int64_t updates = 0;
    std::int64_t epoch = 0;  ///< of the update at hand
    std::int64_t done = 0;   ///< slots of this epoch learned from
    bool learning = false;
    std::exception_ptr failure;
};

}  // namespace barsweep::agents
