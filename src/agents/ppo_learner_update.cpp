#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "agents/failures.hpp"
#include "agents/ppo_learner_state.hpp"
#include "base/random.hpp"
#include "device/launch.hpp"

namespace barsweep::agents {
namespace {

using kernels::i64;

constexpr auto cpu = device::Backend::cpu;
static_assert(static_cast<kernels::u32>(Purpose::minibatches) == kernels::shuffle_purpose);

float sum_of(kernels::View<float> row, i64 count)
{
    return std::accumulate(row.data, row.data + count, 0.0f);
}

}  // namespace

void PpoLearner::State::learn(Group group)
{
    for_each_standing(group, [](State& s) {
        s.judge();
        s.epoch = s.done = 0;
        s.learning = true;
    });
    for (;;) {
        std::array<State*, most_together> busy{};
        const auto end = std::ranges::copy_if(group, busy.begin(), [](auto* state) {
                             return !state->failure && state->learning;
                         }).out;
        if (end == busy.begin()) return;
        update({busy.begin(), end});
    }
}

kernels::View<const kernels::i32> PpoLearner::State::picks() const
{
    return {memory.order.data + done, std::min(config.batch, slots() - done)};
}

/// The next steps in the epoch's order, the last minibatch with what is left.
void PpoLearner::State::draw(Group group)
{
    Together<kernels::ShuffleArgs> shuffles;
    Together<kernels::RolloutGatherArgs> gathers;
    Together<kernels::NormaliseArgs> normals;
    for_each_standing(group, [&](State& s) {
        const PpoMemory& m = s.memory;
        if (s.done == 0) {
            shuffles.add({s.key, static_cast<kernels::u64>(s.steps / s.slots()),
                          static_cast<kernels::u32>(s.epoch), m.order});
        }
        const auto picks = s.picks();
        gathers.add({s.lanes.features,
                     s.lanes.feature_count,
                     s.lanes.seen_count,
                     read(m.rollout),
                     picks,
                     false,
                     {m.states.data, picks.size * s.lanes.inputs()}});
        if (m.scaling.size != 0) normals.add({read(m.advantages), picks, m.scaling});
    });
    device::shuffle(cpu, shuffles.all());
    device::rollout_gather(cpu, gathers.all());
    device::normalise(cpu, normals.all());
}

/// What actor and critic say of them now.
void PpoLearner::State::pass(Group group)
{
    Together<kernels::ForwardArgs> actors, critics;
    for_each_standing(group, [&](State& s) {
        s.add_actor(actors, s.picks().size);
        s.add_critic(critics, s.picks().size);
    });
    device::forward(cpu, actors.all());
    device::forward(cpu, critics.all());
}

/// The loss and its gradient by the outputs, then by the parameters.
void PpoLearner::State::descend(Group group)
{
    Together<kernels::PpoLossArgs> losses;
    for_each_standing(group, [&](State& s) {
        const PpoMemory& m = s.memory;
        losses.add({s.picks(),
                    read(m.rollout),
                    read(m.log_chance),
                    read(m.values),
                    read(m.advantages),
                    read(m.returns),
                    read(m.scaling),
                    s.lanes.levels,
                    read(kernels::outputs_of(s.actor, m.actor_work.data)),
                    read(kernels::outputs_of(s.critic, m.critic_work.data)),
                    static_cast<float>(s.config.clip),
                    static_cast<float>(s.config.clip_value),
                    static_cast<float>(s.config.entropy),
                    static_cast<float>(s.config.value_weight),
                    {m.actor_delta.data, kernels::padded(s.actor.outputs())},
                    {m.critic_delta.data, kernels::padded(s.critic.outputs())},
                    m.losses,
                    m.divergence});
    });
    device::ppo_loss(cpu, losses.all());

    Together<kernels::BackwardArgs> actors, critics;
    for_each_standing(group, [&](State& s) {
        const PpoMemory& m = s.memory;
        const i64 rows = s.picks().size;
        const auto most = s.config.target_kl > 0 ? 1.5 * s.config.target_kl : 0;
        if (most > 0 && sum_of(m.divergence, rows) > most) {
            s.learning = false;
            return;
        }
        s.add_actor(actors, rows);
        s.add_critic(critics, rows);
    });
    device::backward(cpu, critics.all());  // what went forward last is still at hand
    device::backward(cpu, actors.all());
}

/// Weights of both move by Adam.
void PpoLearner::State::move(Group group)
{
    Together<kernels::SquareSumArgs> squares;
    Together<kernels::AdamArgs> adam;
    for_each_standing(group, [&](State& s) {
        if (!s.learning) return;
        const PpoMemory& m = s.memory;
        ++s.updates;
        m.finite[0] = 1;
        if (s.config.max_grad_norm > 0) squares.add({read(m.gradient), m.leaves, m.square});
        adam.add({.parameters = m.parameters,
                  .first = m.first,
                  .second = m.second,
                  .gradient = read(m.gradient),
                  .square = read(m.square),
                  .learning_rate = learning_rate_at(s.config, s.steps - s.slots(), s.last_rung),
                  .max_norm = s.config.max_grad_norm,
                  .eps = 1e-5,
                  .number = s.updates,
                  .finite = m.finite});
    });
    device::square_sum(cpu, squares.all());
    device::adam(cpu, adam.all());
}

void PpoLearner::State::update(Group group)
{
    draw(group);
    pass(group);
    descend(group);
    move(group);
    for_each_standing(group, [](State& s) {
        const i64 rows = s.picks().size;
        const float loss = sum_of(s.memory.losses, rows);
        if ((s.learning && s.memory.finite[0] == 0) || !std::isfinite(loss)) {
            throw Diverged(s.steps, s.updates);
        }
        s.done += rows;
        if (s.done < s.slots()) return;
        s.done = 0;
        if (++s.epoch == s.config.epochs) s.learning = false;
    });
}

}  // namespace barsweep::agents
