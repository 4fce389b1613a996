#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "agents/learner.hpp"

namespace barsweep::agents {

/// A rank's slots, each with at most one trial in it. Slots share nothing but the training set, so
/// different ones may be advanced by different threads at once.
class Cohort {
public:
    using Seconds = std::chrono::duration<double>;

    Cohort(const TrainingSet& set, std::size_t slots, Seconds save_every = Seconds{60});

    /// Brings the trial to `to_steps` total steps in `slot`: from where it stands there, else from
    /// the checkpoint, else from its start. A trial that stood there before makes room. Saves the
    /// checkpoint (an empty path: none) on arrival, every `save_every` on the way, and where `stop`
    /// asks to end early: then the learner is below `to_steps`. A checkpoint that can't be used or
    /// written is told in the log, and costs time alone. What a trial throws leaves its slot empty.
    const Learner& advance(std::size_t slot, const LearnerPlan& plan, std::int64_t to_steps,
                           const std::filesystem::path& checkpoint,
                           const std::function<bool()>& stop = {});

private:
    Learner& seat(std::size_t slot, const LearnerPlan& plan, std::int64_t to_steps,
                  const std::filesystem::path& checkpoint);

    const TrainingSet* set_;
    Seconds save_every_;
    std::vector<std::unique_ptr<Learner>> slots_;
};

}  // namespace barsweep::agents
