#include <algorithm>
#include <numeric>

#include "agents/ppo_learner_state.hpp"
#include "agents/torch_network.hpp"
#include "device/launch.hpp"

namespace barsweep::agents {
namespace {

using kernels::i64;

constexpr auto cpu = device::Backend::cpu;

}  // namespace

void PpoLearner::State::add(Together<kernels::ForwardArgs>& passes,
                            const kernels::ForwardArgs& pass) const
{
    if (config.engine == Engine::libtorch) {
        torch_forward(pass);
    } else {
        passes.add(pass);
    }
}

void PpoLearner::State::add(Together<kernels::BackwardArgs>& passes,
                            const kernels::BackwardArgs& pass) const
{
    if (config.engine == Engine::libtorch) {
        torch_backward(pass);
    } else {
        passes.add(pass);
    }
}

void PpoLearner::State::add_actor(Together<kernels::ForwardArgs>& passes, std::int64_t rows,
                                  kernels::Rows<float> outputs) const
{
    const PpoMemory& m = memory;
    add(passes, {actor,
                 read(actor_part(m.parameters)),
                 {m.states.data, lanes.inputs()},
                 rows,
                 m.actor_work,
                 outputs});
}

void PpoLearner::State::add_critic(Together<kernels::ForwardArgs>& passes, std::int64_t rows,
                                   kernels::Rows<float> outputs) const
{
    const PpoMemory& m = memory;
    add(passes, {critic,
                 read(critic_part(m.parameters)),
                 {m.states.data, lanes.inputs()},
                 rows,
                 m.critic_work,
                 outputs});
}

void PpoLearner::State::add_actor(Together<kernels::BackwardArgs>& passes, std::int64_t rows) const
{
    const PpoMemory& m = memory;
    add(passes, {actor,
                 read(actor_part(m.parameters)),
                 {m.states.data, lanes.inputs()},
                 rows,
                 m.actor_work,
                 m.actor_delta,
                 m.scratch,
                 actor_part(m.gradient)});
}

void PpoLearner::State::add_critic(Together<kernels::BackwardArgs>& passes, std::int64_t rows) const
{
    const PpoMemory& m = memory;
    add(passes, {critic,
                 read(critic_part(m.parameters)),
                 {m.states.data, lanes.inputs()},
                 rows,
                 m.critic_work,
                 m.critic_delta,
                 m.scratch,
                 critic_part(m.gradient)});
}

/// Values of the states that the first `count` slots of `order` name, or of those that they led to,
/// to the same slots of `into`. Weights stand still meanwhile: passes of a whole chunk.
void PpoLearner::State::value_states(bool next, std::int64_t count, kernels::View<float> into)
{
    const PpoMemory& m = memory;
    const i64 inputs = lanes.inputs(), chunk = chunk_of(config, lanes);
    const kernels::Rows<float> outputs{m.outputs.data, kernels::padded(critic.outputs())};
    for (i64 from = 0; from < count; from += chunk) {
        const i64 rows = std::min(chunk, count - from);
        const kernels::i32* const picks = m.order.data + from;
        const kernels::RolloutGatherArgs gather{lanes.features,
                                                lanes.feature_count,
                                                lanes.seen_count,
                                                read(m.rollout),
                                                {picks, rows},
                                                next,
                                                {m.states.data, rows * inputs}};
        device::rollout_gather(cpu, {&gather, 1});
        Together<kernels::ForwardArgs> passes;
        add_critic(passes, rows, outputs);
        device::forward(cpu, passes.all());
        for (i64 i = 0; i < rows; ++i) into[picks[i]] = outputs[i][0];
    }
}

/// Values, advantages and returns of a whole rollout.
void PpoLearner::State::judge()
{
    const PpoMemory& m = memory;
    std::iota(m.order.data, m.order.data + slots(), 0);
    value_states(false, slots(), m.values);
    const auto* const end =
        std::copy_if(m.order.data, m.order.data + slots(), m.order.data, [&](kernels::i32 slot) {
            return kernels::needs_next_value(m.rollout[slot], slot >= slots() - lanes.count);
        });
    value_states(true, end - m.order.data, m.advantages);
    const kernels::AdvantageArgs args{read(m.rollout),
                                      lanes.count,
                                      static_cast<float>(config.gamma),
                                      static_cast<float>(config.gae_lambda),
                                      static_cast<float>(lanes.reward_scale),
                                      read(m.values),
                                      m.advantages,
                                      m.returns};
    device::advantage(cpu, {&args, 1});
}

}  // namespace barsweep::agents
