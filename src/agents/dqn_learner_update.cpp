#include <cmath>

#include "agents/dqn_learner_state.hpp"
#include "agents/failures.hpp"
#include "agents/torch_network.hpp"
#include "base/random.hpp"
#include "device/launch.hpp"

namespace barsweep::agents {
namespace {

constexpr auto cpu = device::Backend::cpu;
static_assert(static_cast<kernels::u32>(Purpose::replay_picks) == kernels::replay_purpose);

}  // namespace

/// Transitions to learn from, and how much each counts.
void DqnLearner::State::draw(Group group)
{
    Together<kernels::DrawArgs> draws;
    Together<kernels::WeighArgs> weights;
    for_each_standing(group, [&](State& s) {
        const DqnMemory& m = s.memory;
        draws.add({read(m.tree), s.filled(), s.key, static_cast<kernels::u64>(s.updates), m.picks,
                   m.drawn});
        if (!s.config.prioritised) return;
        weights.add({read(m.drawn), correction_at(s.config, s.steps, s.last_rung), m.weights});
    });
    device::draw(cpu, draws.all());
    device::weigh(cpu, weights.all());
}

/// States, and what a step from them brought, or would have brought.
void DqnLearner::State::gather(Group group)
{
    Together<kernels::ReplayGatherArgs> gathers;
    for_each_standing(group, [&](State& s) {
        const DqnMemory& m = s.memory;
        const bool taken_only = !s.config.all_actions;
        const auto half = s.states_size();
        const auto next = m.states.size - half;
        const auto scale = static_cast<float>(s.lanes.reward_scale);
        const auto gamma = static_cast<float>(s.config.gamma);
        gathers.add({s.lanes.features,
                     s.lanes.feature_count,
                     s.lanes.seen_count,
                     read(m.ring),
                     s.steps,
                     s.lanes.count,
                     s.config.n_step,
                     gamma,
                     scale,
                     read(m.picks),
                     {m.states.data, half},
                     m.taken,
                     {m.states.data + half, taken_only ? next : 0},
                     m.rewards,
                     m.discounts});
        if (taken_only) return;
        s.lanes.counterfactual({.world = {},
                                .rules = {},
                                .reward = {},
                                .ring = read(m.ring),
                                .accounts = read(m.accounts),
                                .picks = read(m.picks),
                                .reward_scale = scale,
                                .gamma = gamma,
                                .rewards = m.rewards,
                                .discounts = m.discounts,
                                .next_states = {m.states.data + half, next}});
    });
    device::replay_gather(cpu, gathers.all());
}

/// Both networks' outputs: at the next states nothing else is kept.
void DqnLearner::State::pass(Group group)
{
    Together<kernels::ForwardArgs> target, next, online;
    for_each_standing(group, [&](State& s) {
        const DqnMemory& m = s.memory;
        const auto promised = s.promises();
        const kernels::View<float> states{m.states.data + s.states_size(),
                                          m.states.size - s.states_size()};
        s.add_forward(target, m.target, states, promised, m.promised);
        if (s.config.double_q) s.add_forward(next, m.online, states, promised, m.next);
        s.add_forward(online, m.online, m.states, s.config.batch);
    });
    device::forward(cpu, target.all());
    device::forward(cpu, next.all());
    device::forward(cpu, online.all());
}

/// The loss and its gradient by the outputs, then by the parameters.
void DqnLearner::State::descend(Group group)
{
    Together<kernels::DqnLossArgs> losses;
    Together<kernels::BackwardArgs> backward;
    for_each_standing(group, [&](State& s) {
        const DqnMemory& m = s.memory;
        const auto width = kernels::padded(s.shape.outputs());
        const auto& chooser = s.config.double_q ? m.next : m.promised;
        losses.add({s.head,
                    s.config.loss == Loss::squared,
                    read(kernels::outputs_of(s.shape, m.work.data)),
                    {chooser.data, width},
                    {m.promised.data, width},
                    read(m.rewards),
                    read(m.discounts),
                    {m.taken.data, s.config.all_actions ? 0 : m.taken.size},
                    read(m.weights),
                    {m.delta.data, width},
                    m.losses,
                    m.errors});
    });
    device::dqn_loss(cpu, losses.all());
    for_each_standing(group, [&](State& s) {
        const DqnMemory& m = s.memory;
        const kernels::BackwardArgs args{
            s.shape,        read(m.online), {m.states.data, s.lanes.inputs()},
            s.config.batch, m.work,         m.delta,
            m.scratch,      m.gradient};
        if (s.config.engine == Engine::libtorch) {
            torch_backward(args);
        } else {
            backward.add(args);
        }
    });
    device::backward(cpu, backward.all());
}

/// Weights move by Adam, priorities to the errors, target networks a share of the way.
void DqnLearner::State::move(Group group)
{
    Together<kernels::SquareSumArgs> squares;
    Together<kernels::AdamArgs> adam;
    Together<kernels::PrioritiseArgs> priorities;
    Together<kernels::BlendArgs> blends;
    for_each_standing(group, [&](State& s) {
        const DqnMemory& m = s.memory;
        const DqnConfig& c = s.config;
        ++s.updates;
        --s.due;
        m.finite[0] = 1;
        if (c.max_grad_norm > 0) squares.add({read(m.gradient), m.leaves, m.square});
        adam.add({.parameters = m.online,
                  .first = m.first,
                  .second = m.second,
                  .gradient = read(m.gradient),
                  .square = read(m.square),
                  .learning_rate = c.learning_rate,
                  .max_norm = c.max_grad_norm,
                  .number = s.updates,
                  .finite = m.finite});
        if (c.prioritised) {
            priorities.add({m.tree, m.largest, read(m.picks), read(m.errors), c.priority_exponent,
                            0, 0, c.buffer});
        }
        if (c.tau > 0) blends.add({m.target, read(m.online), static_cast<float>(c.tau)});
    });
    device::square_sum(cpu, squares.all());
    device::adam(cpu, adam.all());
    device::prioritise(cpu, priorities.all());
    device::blend(cpu, blends.all());
}

void DqnLearner::State::update(Group group)
{
    draw(group);
    gather(group);
    pass(group);
    descend(group);
    move(group);
    for_each_standing(group, [](State& s) {
        const auto& losses = s.memory.losses;
        float loss = 0;
        for (kernels::i64 i = 0; i < losses.size; ++i) loss += losses[i];
        if (s.memory.finite[0] == 0 || !std::isfinite(loss)) throw Diverged(s.steps, s.updates);
    });
}

}  // namespace barsweep::agents
