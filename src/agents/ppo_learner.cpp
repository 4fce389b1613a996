#include "agents/ppo_learner.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "agents/orthogonal.hpp"
#include "agents/ppo_learner_state.hpp"
#include "base/random.hpp"
#include "device/launch.hpp"

namespace barsweep::agents {
namespace {

constexpr auto cpu = device::Backend::cpu;
static_assert(static_cast<kernels::u32>(Purpose::act_by_chance) == kernels::act_by_chance_purpose);

/// On a processor one after the other: a learner's networks and moments fill a core's cache, and
/// the stages of an update meet them there again.
constexpr std::size_t at_once = 1;
static_assert(at_once <= most_together);

}  // namespace

PpoLearner::State::State(Lanes around, const PpoConfig& chosen, std::uint64_t stream,
                         std::int64_t last)
    : lanes{std::move(around)},
      config{chosen},
      key{stream},
      last_rung{last},
      actor{actor_shape(config, lanes.inputs(), lanes.levels)},
      critic{critic_shape(config, lanes.inputs())},
      bytes{cpu, static_cast<std::size_t>(ppo_bytes(config, lanes))},
      memory{lay_out(config, lanes, bytes.write().data)}
{
    if (lanes.levels > kernels::max_levels) throw std::logic_error("PpoLearner: too many levels");
    if (config.batch > slots()) throw std::logic_error("PpoLearner: a batch beyond its rollout");
    std::memset(bytes.write().data, 0, static_cast<std::size_t>(memory.bytes));
    write_orthogonal(actor, 0.01, key, 0, actor_part(memory.parameters).data);
    write_orthogonal(critic, 1, key, 1, critic_part(memory.parameters).data);
}

kernels::View<float> PpoLearner::State::actor_part(kernels::View<float> row) const
{
    return {row.data, kernels::parameter_count(actor)};
}

kernels::View<float> PpoLearner::State::critic_part(kernels::View<float> row) const
{
    return {row.data + kernels::parameter_count(actor), kernels::parameter_count(critic)};
}

PpoLearner::PpoLearner(Lanes lanes, const PpoConfig& config, std::uint64_t key,
                       std::int64_t last_rung)
    : state_{std::make_unique<State>(std::move(lanes), config, key, last_rung)}
{
}

PpoLearner::~PpoLearner() = default;
PpoLearner::PpoLearner(PpoLearner&&) noexcept = default;
PpoLearner& PpoLearner::operator=(PpoLearner&&) noexcept = default;

std::int64_t PpoLearner::steps() const noexcept
{
    return state_->steps;
}

std::int64_t PpoLearner::updates() const noexcept
{
    return state_->updates;
}

const std::exception_ptr& PpoLearner::failure() const noexcept
{
    return state_->failure;
}

kernels::MlpShape PpoLearner::shape() const noexcept
{
    return state_->actor;
}

kernels::Head PpoLearner::head() const noexcept
{
    return ppo_head(state_->lanes.levels);
}

kernels::View<const float> PpoLearner::parameters() const noexcept
{
    return read(state_->actor_part(state_->memory.parameters));
}

const PpoMemory& PpoLearner::memory() const noexcept
{
    return state_->memory;
}

void PpoLearner::step()
{
    PpoLearner* const alone = this;
    step({&alone, 1});
    if (state_->failure) std::rethrow_exception(state_->failure);
}

void PpoLearner::step(std::span<PpoLearner* const> group)
{
    step(group, at_once);
}

void PpoLearner::step(std::span<PpoLearner* const> group, std::size_t together)
{
    while (!group.empty()) {
        const auto part = group.first(std::min({group.size(), together, most_together}));
        group = group.subspan(part.size());
        std::array<State*, most_together> states{};
        std::ranges::transform(part, states.begin(), [](auto* one) { return one->state_.get(); });
        State::step({states.data(), part.size()});
    }
}

void PpoLearner::State::step(Group group)
{
    collect(group);
    std::array<State*, most_together> whole{};
    const auto end = std::ranges::copy_if(group, whole.begin(), [](auto* state) {
                         return !state->failure && state->filled() == 0;
                     }).out;
    if (end != whole.begin()) learn({whole.begin(), end});
}

void PpoLearner::State::collect(Group group)
{
    Together<kernels::ForwardArgs> passes;
    Together<kernels::ActCategoricalArgs> acts;
    for_each_standing(group, [&](State& s) {
        const PpoMemory& m = s.memory;
        const auto count = s.lanes.count;
        s.lanes.observe({m.states.data, count * s.lanes.inputs()});
        const kernels::Rows<float> logits{m.outputs.data, kernels::padded(s.actor.outputs())};
        s.add_actor(passes, count, logits);
        acts.add({read(logits),
                  s.lanes.levels,
                  s.key,
                  static_cast<kernels::u64>(s.steps),
                  m.actions,
                  {m.log_chance.data + s.filled(), count}});
    });
    device::forward(cpu, passes.all());
    device::act_categorical(cpu, acts.all());
    for_each_standing(group, [](State& s) {
        s.lanes.step(read(s.memory.actions), s.memory.rollout, {}, s.filled());
        s.steps += s.lanes.count;
    });
}

}  // namespace barsweep::agents
