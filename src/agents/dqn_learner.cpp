#include "agents/dqn_learner.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "agents/dqn_learner_state.hpp"
#include "agents/network.hpp"
#include "agents/torch_network.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "device/launch.hpp"
#include "kernels/sum_tree.hpp"

namespace barsweep::agents {
namespace {

constexpr auto cpu = device::Backend::cpu;
static_assert(static_cast<kernels::u32>(Purpose::explore) == kernels::explore_purpose);

/// On a processor one after the other: a learner's networks and moments fill a core's cache, and
/// the stages of an update meet them there again.
constexpr std::size_t at_once = 1;
static_assert(at_once <= most_together);

}  // namespace

DqnLearner::State::State(Lanes around, const DqnConfig& chosen, std::uint64_t stream,
                         std::int64_t last)
    : lanes{std::move(around)},
      config{chosen},
      key{stream},
      last_rung{last},
      shape{dqn_shape(config, lanes.inputs(), lanes.levels)},
      head{dqn_head(config, lanes.levels)},
      bytes{cpu, static_cast<std::size_t>(dqn_bytes(config, lanes))},
      memory{lay_out(config, lanes, bytes.write().data)}
{
    if (lanes.count > config.buffer) throw std::logic_error("DqnLearner: more lanes than replay");
    if (config.all_actions && !lanes.counterfactual) {
        throw UserError({"agent.all_actions", "a market that tells every level's step",
                         "one that tells the taken one's alone", "leave agent.all_actions out"});
    }
    std::memset(bytes.write().data, 0, static_cast<std::size_t>(memory.zeroed));
    std::ranges::copy(initial_parameters(shape, key), memory.online.data);
    std::copy_n(memory.online.data, memory.online.size, memory.target.data);
    memory.largest[0] = static_cast<kernels::u64>(kernels::priority_one);
}

void DqnLearner::State::add_forward(Together<kernels::ForwardArgs>& passes,
                                    kernels::View<float> parameters, kernels::View<float> x,
                                    std::int64_t rows, kernels::View<float> outputs) const
{
    const kernels::ForwardArgs args{
        shape, read(parameters), {x.data, lanes.inputs()},
        rows,  memory.work,      {outputs.data, kernels::padded(shape.outputs())}};
    if (config.engine == Engine::libtorch) {
        torch_forward(args);
    } else {
        passes.add(args);
    }
}

std::int64_t DqnLearner::State::filled() const
{
    return std::min(steps, config.buffer);
}

std::int64_t DqnLearner::State::promises() const
{
    return memory.rewards.size;
}

std::int64_t DqnLearner::State::states_size() const
{
    return config.batch * lanes.inputs();
}

DqnLearner::DqnLearner(Lanes lanes, const DqnConfig& config, std::uint64_t key,
                       std::int64_t last_rung)
    : state_{std::make_unique<State>(std::move(lanes), config, key, last_rung)}
{
}

DqnLearner::~DqnLearner() = default;
DqnLearner::DqnLearner(DqnLearner&&) noexcept = default;
DqnLearner& DqnLearner::operator=(DqnLearner&&) noexcept = default;

std::int64_t DqnLearner::steps() const noexcept
{
    return state_->steps;
}

std::int64_t DqnLearner::updates() const noexcept
{
    return state_->updates;
}

const std::exception_ptr& DqnLearner::failure() const noexcept
{
    return state_->failure;
}

kernels::MlpShape DqnLearner::shape() const noexcept
{
    return state_->shape;
}

kernels::Head DqnLearner::head() const noexcept
{
    return state_->head;
}

kernels::View<const float> DqnLearner::parameters() const noexcept
{
    return {state_->memory.online.data, state_->memory.online.size};
}

const DqnMemory& DqnLearner::memory() const noexcept
{
    return state_->memory;
}

void DqnLearner::step()
{
    DqnLearner* const alone = this;
    step({&alone, 1});
    if (state_->failure) std::rethrow_exception(state_->failure);
}

void DqnLearner::step(std::span<DqnLearner* const> group)
{
    step(group, at_once);
}

void DqnLearner::step(std::span<DqnLearner* const> group, std::size_t together)
{
    while (!group.empty()) {
        const auto part = group.first(std::min({group.size(), together, most_together}));
        group = group.subspan(part.size());
        std::array<State*, most_together> states{};
        std::ranges::transform(part, states.begin(), [](auto* one) { return one->state_.get(); });
        State::step({states.data(), part.size()});
    }
}

void DqnLearner::State::step(Group group)
{
    std::array<std::int64_t, most_together> before{};
    std::ranges::transform(group, before.begin(), [](auto* state) { return state->steps; });
    collect(group);
    for_each_standing(group, [](State& s) {
        const auto& c = s.config;
        if (s.steps < c.learning_starts) return;
        const auto from = std::max(s.steps - s.lanes.count, c.learning_starts);
        s.due = s.steps / c.update_every - from / c.update_every;
    });
    for (;;) {
        std::array<State*, most_together> owing{};
        const auto end = std::ranges::copy_if(group, owing.begin(), [](auto* state) {
                             return !state->failure && state->due > 0;
                         }).out;
        if (end == owing.begin()) break;
        update({owing.begin(), end});
    }
    Together<kernels::BlendArgs> copies;
    for_each_standing(group, [&](State& s) {
        const auto& c = s.config;
        if (s.steps < c.learning_starts || c.tau > 0) return;
        if (s.steps / c.target_every == (s.steps - s.lanes.count) / c.target_every) return;
        copies.add({s.memory.target, {s.memory.online.data, s.memory.online.size}, 1});
    });
    device::blend(cpu, copies.all());
}

void DqnLearner::State::collect(Group group)
{
    Together<kernels::ForwardArgs> passes;
    Together<kernels::ActArgs> acts;
    Together<kernels::PrioritiseArgs> fresh;
    for_each_standing(group, [&](State& s) {
        const DqnMemory& m = s.memory;
        s.lanes.observe(m.observations);
        s.add_forward(passes, m.online, m.observations, s.lanes.count, m.next);
        acts.add({{m.next.data, kernels::padded(s.shape.outputs())},
                  s.head,
                  epsilon_at(s.config, s.steps, s.last_rung),
                  s.key,
                  static_cast<kernels::u64>(s.steps),
                  m.actions});
    });
    device::forward(cpu, passes.all());
    device::act(cpu, acts.all());
    for_each_standing(group, [&](State& s) {
        const DqnMemory& m = s.memory;
        const auto slot = s.steps % s.config.buffer;
        s.lanes.step({m.actions.data, m.actions.size}, m.ring, m.accounts, slot);
        if (s.config.prioritised) {
            fresh.add({m.tree, m.largest, {}, {}, 0, slot, s.lanes.count, s.config.buffer});
        }
        s.steps += s.lanes.count;
    });
    device::prioritise(cpu, fresh.all());
}

}  // namespace barsweep::agents
