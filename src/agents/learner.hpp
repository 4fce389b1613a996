#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "agents/bar_lanes.hpp"
#include "agents/dqn_config.hpp"
#include "agents/failures.hpp"
#include "agents/ppo_config.hpp"
#include "sim/policy_run.hpp"

namespace barsweep::agents {

using AgentConfig = std::variant<DqnConfig, PpoConfig>;

/// One trial, whole.
struct LearnerPlan {
    AgentConfig config;
    kernels::Rules rules;
    kernels::RewardRules reward;
    TrialKey key;
    std::int64_t last_rung = 0;  ///< total steps of the job's last rung: what schedules end at
};

/// Of either kind of agent.
std::int64_t lanes_of(const AgentConfig& config);
kernels::AccountView observation_of(const AgentConfig& config);
BarLanesPlan lanes_plan(const LearnerPlan& plan);

/// What a plan and the bars it learns on come to: SHA-256 of every number that a trial's bits
/// depend on, but for the bars' own (a study folder knows its data).
std::string fingerprint(const TrainingSet& set, const LearnerPlan& plan);

/// One slot's trial: an agent of the plan's kind in lanes over bars. Its bits are a function of
/// (plan, training set) alone. Throws Diverged when a loss or weight isn't finite,
/// std::overflow_error when an account stopped (naming lane, bar, values), OutOfMemory.
class Learner {
public:
    Learner(const TrainingSet& set, LearnerPlan plan);
    ~Learner();
    Learner(Learner&&) noexcept;
    Learner& operator=(Learner&&) noexcept;

    std::int64_t steps() const noexcept;  ///< total, over all lanes
    std::int64_t updates() const noexcept;
    const std::string& identity() const noexcept;  ///< fingerprint of its plan and set

    /// Collects and learns for one lock-step of all lanes.
    void step();

    /// The same for each of a group: of those of one kind `together` run a stage before the next
    /// one begins. What goes wrong in one is kept as its `failure`, it stands still from then on,
    /// and the others don't notice.
    static void step(std::span<Learner* const> group, std::size_t together);
    const std::exception_ptr& failure() const noexcept;

    /// The greedy policy as it stands.
    sim::Policy policy() const;

    /// Everything, sealed, so that going on from `load` gives the bits of a run that never stopped.
    /// `load` throws UserError for what isn't a checkpoint of this very plan, or is damaged
    /// (checksum); the learner is then as before.
    std::string save() const;
    void load(std::string_view file);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace barsweep::agents
