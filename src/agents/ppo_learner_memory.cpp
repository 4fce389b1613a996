#include "agents/ppo_learner_memory.hpp"

#include <algorithm>

#include "agents/carver.hpp"
#include "kernels/square_sum.hpp"

namespace barsweep::agents {

using kernels::i64;

std::int64_t chunk_of(const PpoConfig& config, const Lanes& lanes)
{
    constexpr i64 most = 256;  // their states fit a core's cache
    return std::min(most, config.rollout * lanes.count);
}

PpoMemory lay_out(const PpoConfig& config, const Lanes& lanes, std::byte* start)
{
    const auto actor = actor_shape(config, lanes.inputs(), lanes.levels);
    const auto critic = critic_shape(config, lanes.inputs());
    const i64 parameters = kernels::parameter_count(actor) + kernels::parameter_count(critic);
    const i64 slots = config.rollout * lanes.count;
    const i64 batch = config.batch, chunk = chunk_of(config, lanes);

    PpoMemory m;
    Carver carve{start};
    for (auto* row : {&m.parameters, &m.first, &m.second, &m.gradient}) carve(*row, parameters);
    carve(m.square, 1);
    carve(m.leaves, kernels::square_sum_leaves(parameters));
    carve(m.finite, 1);
    carve(m.actor_work,
          std::max(kernels::network_work(actor, batch), kernels::passing_work(actor, lanes.count)));
    carve(m.critic_work,
          std::max(kernels::network_work(critic, batch), kernels::passing_work(critic, chunk)));
    carve(m.outputs, std::max(lanes.count * kernels::padded(actor.outputs()),
                              chunk * kernels::padded(critic.outputs())));
    carve(m.scratch, std::max(kernels::backward_scratch(actor, batch),
                              kernels::backward_scratch(critic, batch)));
    carve(m.actor_delta, batch * kernels::padded(actor.outputs()));
    carve(m.critic_delta, batch * kernels::padded(critic.outputs()));
    carve(m.states, std::max({batch, lanes.count, chunk}) * lanes.inputs());
    carve(m.actions, lanes.count);
    carve(m.rollout, slots);
    for (auto* row : {&m.log_chance, &m.values, &m.advantages, &m.returns}) carve(*row, slots);
    carve(m.order, slots);
    carve(m.scaling, config.normalise_advantage ? 2 : 0);
    carve(m.losses, batch);
    carve(m.divergence, batch);
    m.bytes = carve.used;
    return m;
}

std::int64_t ppo_bytes(const PpoConfig& config, const Lanes& lanes)
{
    return lay_out(config, lanes, nullptr).bytes;
}

}  // namespace barsweep::agents
