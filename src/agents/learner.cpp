#include "agents/learner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "agents/dqn_learner.hpp"
#include "agents/learner_work.hpp"
#include "agents/ppo_learner.hpp"
#include "agents/sealed.hpp"
#include "base/error.hpp"

namespace barsweep::agents {
namespace {

constexpr auto checkpoint_kind = "barsweep checkpoint 2";

using Agent = std::variant<DqnLearner, PpoLearner>;

Agent make_agent(const LearnerPlan& plan, const Lanes& lanes)
{
    const auto key = stream_key(plan.key);
    const auto last = plan.last_rung;
    if (const auto* dqn = std::get_if<DqnConfig>(&plan.config)) {
        return DqnLearner{lanes, *dqn, key, last};
    }
    return PpoLearner{lanes, std::get<PpoConfig>(plan.config), key, last};
}

std::string most_asked_for(const DqnConfig& config)
{
    return fmt::format("agent.buffer = {}", config.buffer);
}

std::string most_asked_for(const PpoConfig& config)
{
    return fmt::format("agent.rollout = {} of agent.lanes = {}", config.rollout, config.lanes);
}

std::string memory_asked_for(const TrainingSet& set, const LearnerPlan& plan)
{
    return std::visit(
        [&](const auto& config) {
            return fmt::format(
                "out of memory: {} asks for {:.1f} GiB, with networks of {} and agent.batch = {}",
                most_asked_for(config), static_cast<double>(allocated_bytes(set, plan)) / (1 << 30),
                fmt::join(config.hidden, " "), config.batch);
        },
        plan.config);
}

}  // namespace

struct Learner::State {
    State(const TrainingSet& set, const LearnerPlan& plan)
        : identity{fingerprint(set, plan)},
          observation{observation_of(plan.config)},
          lanes{set, lanes_plan(plan)},
          agent{make_agent(plan, lanes.lanes())}
    {
    }

    std::string identity;
    kernels::AccountView observation;
    BarLanes lanes;
    Agent agent;  ///< in `lanes`
};

Diverged::Diverged(std::int64_t steps, std::int64_t updates)
    : std::runtime_error(fmt::format(
          "diverged: a loss or a weight is not finite at step {}, update {}", steps, updates))
{
}

std::int64_t lanes_of(const AgentConfig& config)
{
    return std::visit([](const auto& c) { return c.lanes; }, config);
}

kernels::AccountView observation_of(const AgentConfig& config)
{
    return std::visit([](const auto& c) { return c.observation; }, config);
}

BarLanesPlan lanes_plan(const LearnerPlan& plan)
{
    return std::visit(
        [&](const auto& config) -> BarLanesPlan {
            return {plan.rules,   plan.reward,    config.observation,
                    config.lanes, config.episode, plan.key};
        },
        plan.config);
}

Learner::Learner(const TrainingSet& set, LearnerPlan plan)
try : state_{std::make_unique<State>(set, plan)} {
} catch (const std::bad_alloc&) {
    throw OutOfMemory(memory_asked_for(set, plan));
}

Learner::~Learner() = default;
Learner::Learner(Learner&&) noexcept = default;
Learner& Learner::operator=(Learner&&) noexcept = default;

std::int64_t Learner::steps() const noexcept
{
    return std::visit([](const auto& agent) { return agent.steps(); }, state_->agent);
}

std::int64_t Learner::updates() const noexcept
{
    return std::visit([](const auto& agent) { return agent.updates(); }, state_->agent);
}

const std::string& Learner::identity() const noexcept
{
    return state_->identity;
}

const std::exception_ptr& Learner::failure() const noexcept
{
    return std::visit(
        [](const auto& agent) -> auto& { return agent.failure(); }, state_->agent);
}

void Learner::step()
{
    std::visit([](auto& agent) { agent.step(); }, state_->agent);
}

void Learner::step(std::span<Learner* const> group, std::size_t together)
{
    std::vector<DqnLearner*> dqn;
    std::vector<PpoLearner*> ppo;
    for (auto* learner : group) {
        auto& agent = learner->state_->agent;
        if (auto* one = std::get_if<DqnLearner>(&agent)) dqn.push_back(one);
        if (auto* one = std::get_if<PpoLearner>(&agent)) ppo.push_back(one);
    }
    DqnLearner::step(dqn, together);
    PpoLearner::step(ppo, together);
}

sim::Policy Learner::policy() const
{
    return std::visit(
        [&](const auto& agent) -> sim::Policy {
            const auto shape = agent.shape();
            const float* const first = agent.parameters().data;
            return {shape,
                    agent.head(),
                    {first, first + kernels::parameter_count(shape)},
                    state_->observation};
        },
        state_->agent);
}

std::string Learner::save() const
{
    std::string bytes;
    std::visit([&](const auto& agent) { agent.save(bytes); }, state_->agent);
    return seal(checkpoint_kind, state_->identity, bytes);
}

void Learner::load(std::string_view file)
{
    const std::string where = "checkpoint";
    const Unsealed sealed = unseal(file, checkpoint_kind, where);
    if (sealed.identity != state_->identity) {
        throw UserError({where, "a checkpoint of this trial on these bars", "one of another",
                         "remove it, or name the study folder that it belongs to"});
    }
    auto bytes = sealed.payload;
    const bool whole = std::visit([&](auto& agent) { return agent.load(bytes); }, state_->agent);
    // The checksum and the identity held, so this would be a fault of `save`.
    if (!whole || !bytes.empty()) throw std::logic_error("checkpoint: not what save writes");
}

}  // namespace barsweep::agents
