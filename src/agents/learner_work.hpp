#pragma once
#include "agents/learner.hpp"

namespace barsweep::agents {

/// What a trial computes, in multiply-adds of its networks; pure functions of the plan.
struct LearnerWork {
    double step = 0;      ///< of one lane
    double update = 0;    ///< of one minibatch
    double decision = 0;  ///< of an evaluation
};
LearnerWork work_of(const TrainingSet& set, const LearnerPlan& plan);

/// Minibatches learned from after so many total steps; of PPO at most, where target_kl ends none
/// early.
std::int64_t updates_by(const AgentConfig& config, std::int64_t steps);

/// Bytes that a learner allocates, but for its table of episodes; that it has touched after its
/// last rung; and of its checkpoint then.
std::int64_t allocated_bytes(const TrainingSet& set, const LearnerPlan& plan);
std::int64_t resident_bytes(const TrainingSet& set, const LearnerPlan& plan);
std::int64_t checkpoint_bytes(const TrainingSet& set, const LearnerPlan& plan);

}  // namespace barsweep::agents
