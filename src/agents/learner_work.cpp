#include "agents/learner_work.hpp"

#include <algorithm>

#include "agents/dqn_learner.hpp"
#include "agents/ppo_learner.hpp"

namespace barsweep::agents {
namespace {

/// Adam's moves take about the time of so many rows.
constexpr double adam_rows = 10;

double parameters_of(const kernels::MlpShape& shape)
{
    return static_cast<double>(kernels::parameter_count(shape));
}

/// Five passes over a minibatch: online on states and next states, target, two backward.
LearnerWork work_of(const DqnConfig& config, const Lanes& lanes)
{
    const auto weights = parameters_of(dqn_shape(config, lanes.inputs(), lanes.levels));
    const auto levels = static_cast<double>(config.all_actions ? lanes.levels : 1);
    const auto rows = static_cast<double>(config.batch) * (3 + 2 * levels);
    return {weights, weights * (rows + adam_rows), weights};
}

/// Three passes over a minibatch, of both networks.
LearnerWork work_of(const PpoConfig& config, const Lanes& lanes)
{
    const auto actor = parameters_of(actor_shape(config, lanes.inputs(), lanes.levels));
    const auto both = actor + parameters_of(critic_shape(config, lanes.inputs()));
    return {both, both * (3 * static_cast<double>(config.batch) + adam_rows), actor};
}

std::int64_t updates_by(const DqnConfig& config, std::int64_t steps)
{
    const auto from = config.learning_starts / config.update_every;
    return std::max<std::int64_t>(0, steps / config.update_every - from);
}

std::int64_t updates_by(const PpoConfig& config, std::int64_t steps)
{
    const auto rollout = config.rollout * config.lanes;
    const auto minibatches = (rollout + config.batch - 1) / config.batch;
    return steps / rollout * config.epochs * minibatches;
}

std::int64_t allocated_bytes(const DqnConfig& config, const Lanes& lanes)
{
    return dqn_bytes(config, lanes);
}

std::int64_t allocated_bytes(const PpoConfig& config, const Lanes& lanes)
{
    return ppo_bytes(config, lanes);
}

/// Of a step in replay.
std::int64_t replay_bytes(const DqnConfig& config)
{
    return static_cast<std::int64_t>(sizeof(kernels::Transition) +
                                     (config.all_actions ? sizeof(kernels::Account) : 0));
}

std::int64_t untouched_bytes(const DqnConfig& config, std::int64_t steps)
{
    return std::max<std::int64_t>(0, config.buffer - steps) * replay_bytes(config);
}

std::int64_t untouched_bytes(const PpoConfig&, std::int64_t)
{
    return 0;
}

/// Two networks and two rows of moments, and replay as far as it is filled.
std::int64_t checkpoint_bytes(const DqnConfig& config, const Lanes& lanes, std::int64_t steps)
{
    const auto shape = dqn_shape(config, lanes.inputs(), lanes.levels);
    return 4 * static_cast<std::int64_t>(sizeof(float)) * kernels::parameter_count(shape) +
           std::min(config.buffer, steps) * replay_bytes(config);
}

/// Both networks and two rows of moments, and a rollout that is nearly whole.
std::int64_t checkpoint_bytes(const PpoConfig& config, const Lanes& lanes, std::int64_t)
{
    const auto parameters =
        kernels::parameter_count(actor_shape(config, lanes.inputs(), lanes.levels)) +
        kernels::parameter_count(critic_shape(config, lanes.inputs()));
    const auto slot = static_cast<std::int64_t>(sizeof(kernels::Transition) + sizeof(float));
    return 3 * static_cast<std::int64_t>(sizeof(float)) * parameters +
           config.rollout * config.lanes * slot;
}

}  // namespace

LearnerWork work_of(const TrainingSet& set, const LearnerPlan& plan)
{
    const auto lanes = lane_numbers(set, lanes_plan(plan));
    return std::visit([&](const auto& config) { return work_of(config, lanes); }, plan.config);
}

std::int64_t updates_by(const AgentConfig& config, std::int64_t steps)
{
    return std::visit([&](const auto& c) { return updates_by(c, steps); }, config);
}

std::int64_t allocated_bytes(const TrainingSet& set, const LearnerPlan& plan)
{
    const auto lanes = lane_numbers(set, lanes_plan(plan));
    return lanes.count * static_cast<std::int64_t>(sizeof(kernels::Lane)) +
           std::visit([&](const auto& config) { return allocated_bytes(config, lanes); },
                      plan.config);
}

std::int64_t resident_bytes(const TrainingSet& set, const LearnerPlan& plan)
{
    return allocated_bytes(set, plan) -
           std::visit([&](const auto& config) { return untouched_bytes(config, plan.last_rung); },
                      plan.config);
}

std::int64_t checkpoint_bytes(const TrainingSet& set, const LearnerPlan& plan)
{
    const auto lanes = lane_numbers(set, lanes_plan(plan));
    return std::visit(
        [&](const auto& config) { return checkpoint_bytes(config, lanes, plan.last_rung); },
        plan.config);
}

}  // namespace barsweep::agents
