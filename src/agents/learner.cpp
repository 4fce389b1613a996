#include "agents/learner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "agents/adam.hpp"
#include "agents/learner_state.hpp"
#include "base/random.hpp"
#include "device/launch.hpp"

namespace barsweep::agents {
namespace {

constexpr auto cpu = device::Backend::cpu;
static_assert(static_cast<kernels::u32>(Purpose::explore) == kernels::explore_purpose);

std::string memory_asked_for(const LearnerPlan& plan)
{
    const auto& config = plan.config;
    const auto bytes = static_cast<double>(config.buffer) * sizeof(kernels::Transition);
    return fmt::format(
        "out of memory: agent.buffer = {} asks for {:.1f} GiB, beside networks of {} "
        "and agent.batch = {}",
        config.buffer, bytes / (1 << 30), fmt::join(config.hidden, " "), config.batch);
}

}  // namespace

Diverged::Diverged(std::int64_t steps, std::int64_t updates)
    : std::runtime_error(fmt::format(
          "diverged: a loss or a weight is not finite at step {}, update {}", steps, updates))
{
}

Learner::Learner(const TrainingSet& set, LearnerPlan plan)
try : state_{std::make_unique<State>(set, plan)} {
} catch (const std::bad_alloc&) {
    throw OutOfMemory(memory_asked_for(plan));
}

Learner::~Learner() = default;
Learner::Learner(Learner&&) noexcept = default;
Learner& Learner::operator=(Learner&&) noexcept = default;

std::int64_t Learner::steps() const noexcept
{
    return state_->steps;
}

std::int64_t Learner::updates() const noexcept
{
    return state_->updates;
}

const std::string& Learner::identity() const noexcept
{
    return state_->identity;
}

sim::Policy Learner::policy() const
{
    return {state_->shape, state_->online.download(), state_->plan.config.observation};
}

void Learner::step()
{
    const std::int64_t before = state_->steps;
    state_->collect();
    state_->learn(before);
}

/// One lock-step of the lanes by the policy as it stands.
void Learner::State::collect()
{
    const kernels::World around = world();
    const double epsilon = epsilon_at(plan.config, steps, plan.last_rung);
    device::observe(cpu, {around, plan.rules, lanes.read(), observations.write()});
    device::mlp(cpu, {shape, online.read(), observations.read(), values.write(), scratch.write(),
                      plan.config.lanes});
    device::act(cpu, {values.read(), shape.outputs(), epsilon, key,
                      static_cast<kernels::u64>(steps), actions.write()});
    device::experience(cpu, {around, plan.rules, plan.reward, actions.read(), lanes.write(),
                             replay.write(), steps % plan.config.buffer});
    for (std::int64_t i = 0; i < plan.config.lanes; ++i) {
        const kernels::Lane& lane = lanes.read()[i];
        if (lane.status == kernels::Status::good) continue;
        throw std::overflow_error(fmt::format(
            "the account of lane {} can't be told in 64 bits at store row {}: cash {}, lots {}, "
            "close {}",
            i, lane.row, lane.account.cash, lane.account.lots, around.ohlc[4 * lane.row + 3]));
    }
    steps += plan.config.lanes;
}

/// The updates that the steps since `before` made due, and the target network's share of them.
void Learner::State::learn(std::int64_t before)
{
    const DqnConfig& config = plan.config;
    const std::int64_t from = std::max(before, config.learning_starts);
    const std::int64_t due = steps / config.update_every - from / config.update_every;
    for (std::int64_t i = 0; i < due; ++i) {
        update_once();
        if (config.tau > 0) blend(target.write(), online.read(), static_cast<float>(config.tau));
    }
    if (config.tau == 0 && steps / config.target_every > before / config.target_every) {
        std::copy_n(online.read().data, online.size(), target.write().data);
    }
}

void Learner::State::update_once()
{
    const DqnConfig& config = plan.config;
    RandomStream draws{key, Purpose::replay_picks, static_cast<std::uint32_t>(updates),
                       static_cast<std::uint32_t>(updates >> 32)};
    const auto pool = static_cast<std::uint64_t>(filled());
    for (std::int64_t i = 0; i < config.batch; ++i) {
        picks.write()[i] = static_cast<kernels::i64>(draws.below(pool));
    }
    const kernels::i64 half = config.batch * shape.inputs();
    device::replay_gather(cpu, {world(),
                                replay.read(),
                                picks.read(),
                                static_cast<float>(set.reward_scale),
                                {states.write().data, half},
                                {states.write().data + half, half},
                                rewards.write(),
                                continues.write(),
                                taken.write()});
    const UpdateOutcome outcome = dqn_update(
        update, {online.write(), target.read(), first.write(), second.write()},
        {states.read(), rewards.read(), continues.read(), taken.read()},
        {config.gamma, config.learning_rate, config.max_grad_norm, config.double_q}, ++updates);
    if (!outcome.finite) throw Diverged(steps, updates);
}

}  // namespace barsweep::agents
