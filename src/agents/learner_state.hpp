#pragma once
#include "agents/dqn_update.hpp"
#include "agents/episodes.hpp"
#include "agents/learner.hpp"
#include "kernels/experience.hpp"

namespace barsweep::agents {

/// All that a learner is. What `save` keeps: `steps`, `updates`, the lanes, the filled part of the
/// replay, the four rows of parameters and moments; the rest follows from the plan.
struct Learner::State {
    State(const TrainingSet& set, LearnerPlan plan);

    void collect();
    void learn(std::int64_t before);
    void update_once();
    kernels::World world();       ///< with episodes as far as any lane may go in one lock-step
    std::int64_t filled() const;  ///< transitions in the ring, slots 0 to this

    const TrainingSet& set;
    LearnerPlan plan;
    std::string identity;
    std::uint64_t key;  ///< of the trial's own streams
    kernels::MlpShape shape;
    Episodes episodes;
    std::int64_t steps = 0;
    std::int64_t updates = 0;

    device::Buffer<kernels::Lane> lanes;
    device::Buffer<float> observations;   ///< [lanes, inputs]
    device::Buffer<float> values;         ///< [lanes, levels]
    device::Buffer<float> scratch;        ///< [lanes, mlp_scratch]
    device::Buffer<kernels::i8> actions;  ///< [lanes]

    device::Buffer<kernels::Transition> replay;  ///< [buffer] ring
    device::Buffer<kernels::i64> picks;          ///< [batch]
    device::Buffer<float> states;                ///< [2 * batch, inputs]: states, then next states
    device::Buffer<float> rewards;               ///< [batch]
    device::Buffer<float> continues;             ///< [batch]
    device::Buffer<kernels::i64> taken;          ///< [batch]

    device::Buffer<float> online, target, first, second;  ///< [parameter_count]
    UpdateBuffers update;
};

}  // namespace barsweep::agents
