#include "agents/learner_state.hpp"

#include <algorithm>

#include "agents/network.hpp"

namespace barsweep::agents {
namespace {

constexpr auto cpu = device::Backend::cpu;

std::size_t size(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

device::Buffer<float> zeros(std::int64_t count)
{
    return {cpu, std::vector<float>(size(count))};
}

}  // namespace

Learner::State::State(const TrainingSet& training, LearnerPlan trial)
    : set{training},
      plan{std::move(trial)},
      identity{fingerprint(set, plan)},
      key{stream_key(plan.key)},
      shape{shape_of(plan.config, set.feature_count, plan.rules.level_count)},
      episodes{set.train, plan.config.episode, plan.key.seed, plan.key.replicate},
      lanes{cpu, std::vector<kernels::Lane>(size(plan.config.lanes))},
      observations{cpu, size(plan.config.lanes * shape.inputs())},
      values{cpu, size(plan.config.lanes * shape.outputs())},
      scratch{cpu, size(plan.config.lanes * kernels::mlp_scratch(shape))},
      actions{cpu, size(plan.config.lanes)},
      replay{cpu, size(plan.config.buffer)},
      picks{cpu, size(plan.config.batch)},
      states{cpu, size(2 * plan.config.batch * shape.inputs())},
      rewards{cpu, size(plan.config.batch)},
      continues{cpu, size(plan.config.batch)},
      taken{cpu, size(plan.config.batch)},
      online{cpu, initial_parameters(shape, key)},
      target{cpu, online.download()},
      first{zeros(kernels::parameter_count(shape))},
      second{zeros(kernels::parameter_count(shape))},
      update{shape, plan.config.batch}
{
    const kernels::World start = world();
    for (std::int64_t j = 0; j < plan.config.lanes; ++j) {
        kernels::begin_episode(start, plan.rules, j, lanes.write()[j]);
    }
}

kernels::World Learner::State::world()
{
    std::int64_t furthest = 0;
    for (std::int64_t i = 0; i < plan.config.lanes; ++i) {
        furthest = std::max(furthest, lanes.read()[i].episode);
    }
    return {set.market.ohlc.read(),  set.market.sigma.read(),
            set.features.read(),     set.feature_count,
            plan.config.observation, episodes.up_to(furthest + plan.config.lanes),
            episodes.bars()};
}

std::int64_t Learner::State::filled() const
{
    return std::min(steps, plan.config.buffer);
}

}  // namespace barsweep::agents
