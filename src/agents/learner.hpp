#pragma once
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "agents/dqn_config.hpp"
#include "agents/training_set.hpp"
#include "kernels/reward.hpp"
#include "kernels/rules.hpp"
#include "sim/policy_run.hpp"

namespace barsweep::agents {

/// What a trial's random numbers are keyed by; never rank, slot, thread or time.
struct TrialKey {
    std::uint64_t seed = 0;  ///< of the study
    std::int64_t trial = 0;
    std::int64_t replicate = 0;
};

/// One trial's learning, whole: networks, optimiser, replay, lanes, counters.
struct LearnerPlan {
    DqnConfig config;
    kernels::Rules rules;
    kernels::RewardRules reward;
    TrialKey key;
    std::int64_t last_rung = 0;  ///< total steps of the job's last rung (epsilon's measure)
};

/// Learning went astray: a loss or a weight isn't finite.
class Diverged : public std::runtime_error {
public:
    Diverged(std::int64_t steps, std::int64_t updates);
};

/// What was asked for, and how much it is.
class OutOfMemory : public std::bad_alloc {
public:
    explicit OutOfMemory(const std::string& what) : text_{what} {}
    const char* what() const noexcept override { return text_.what(); }

private:
    std::runtime_error text_;  // its copy doesn't throw
};

/// What a plan and the bars it learns on come to: SHA-256 of every number that a trial's bits
/// depend on, but for the bars' own (a study folder knows its data).
std::string fingerprint(const TrainingSet& set, const LearnerPlan& plan);

/// One slot's trial. Its bits are a function of (plan, training set) alone. Throws Diverged when a
/// loss or weight isn't finite, std::overflow_error when an account stopped (naming lane, bar,
/// values), OutOfMemory.
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

    /// The greedy policy as it stands.
    sim::Policy policy() const;

    /// Everything, so that going on from `load` gives the bits of a run that never stopped. `load`
    /// throws UserError for what isn't a checkpoint of this very plan, or is damaged (checksum).
    void save(std::ostream& stream) const;
    void load(std::istream& stream);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace barsweep::agents
