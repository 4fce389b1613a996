#pragma once
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "agents/learner.hpp"

namespace barsweep::agents {

/// How far a trial is to come, and where.
struct Goal {
    std::size_t slot = 0;
    LearnerPlan plan;
    std::int64_t to_steps = 0;         ///< total
    std::filesystem::path checkpoint;  ///< empty: none
};

/// Where it came to: below `to_steps` where it was stopped.
struct Arrival {
    const Learner* learner = nullptr;  ///< null: it failed
    std::exception_ptr failure;
};

/// A rank's slots, each with at most one trial in it, of either kind of agent. Slots share nothing
/// but the training set, so different ones may be advanced by different threads at once.
class Cohort {
public:
    using Seconds = std::chrono::duration<double>;

    /// Trials of which a thread takes each lock-step together. On a processor one is fastest: what
    /// a trial works in stays in the core's cache.
    static constexpr std::size_t together_on_cpu = 1;

    Cohort(const TrainingSet& set, std::size_t slots, Seconds save_every = Seconds{60},
           std::size_t together = together_on_cpu);

    /// Brings trials of different slots to their steps: from where they stand there, else from the
    /// checkpoint, else from their start. A trial that stood there before makes room. Saves
    /// checkpoints on arrival, every `save_every` on the way, and where `stop` asks to end early. A
    /// checkpoint that can't be used or written is told in the log, and costs time alone. A trial
    /// that fails leaves its slot empty; the others don't notice. The bits are those of each trial
    /// alone.
    std::vector<Arrival> advance(std::span<const Goal> goals,
                                 const std::function<bool()>& stop = {});

    /// One of them; throws what it throws.
    const Learner& advance(const Goal& goal, const std::function<bool()>& stop = {});

private:
    Learner& seat(const Goal& goal);
    void advance_together(std::span<const Goal> goals, std::span<Arrival> arrivals,
                          const std::function<bool()>& stop);

    const TrainingSet* set_;
    Seconds save_every_;
    std::size_t together_;
    std::vector<std::unique_ptr<Learner>> slots_;
};

}  // namespace barsweep::agents
