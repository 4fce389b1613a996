#include "agents/cohort.hpp"

#include <system_error>

#include "agents/checkpoint.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace barsweep::agents {
namespace {

using Clock = std::chrono::steady_clock;

void try_to_save(const std::filesystem::path& path, const Learner& learner)
{
    if (path.empty()) return;
    try {
        save_checkpoint(path, learner);
    } catch (const UserError& error) {
        log_line(std::string{error.what()} + " (The trial goes on without this checkpoint.)");
    }
}

/// False: there is none, or none that can be used.
bool try_to_load(const std::filesystem::path& path, Learner& learner)
{
    std::error_code unknown;  // what can't be looked at can't be loaded, which says why
    if (path.empty() || (!std::filesystem::exists(path, unknown) && !unknown)) return false;
    try {
        load_checkpoint(path, learner);
        return true;
    } catch (const UserError& error) {
        log_line(std::string{error.what()} + " (The trial begins anew.)");
        return false;
    }
}

}  // namespace

Cohort::Cohort(const TrainingSet& set, std::size_t slots, Seconds save_every)
    : set_{&set}, save_every_{save_every}, slots_(slots)
{
}

Learner& Cohort::seat(std::size_t slot, const LearnerPlan& plan, std::int64_t to_steps,
                      const std::filesystem::path& checkpoint)
{
    auto& seated = slots_.at(slot);
    if (seated && seated->identity() == fingerprint(*set_, plan) && seated->steps() <= to_steps) {
        return *seated;
    }
    seated.reset();  // first, so that two are never in memory
    seated = std::make_unique<Learner>(*set_, plan);
    if (try_to_load(checkpoint, *seated) && seated->steps() > to_steps) {
        seated.reset();  // a rung is asked for again that lies behind
        seated = std::make_unique<Learner>(*set_, plan);
    }
    return *seated;
}

const Learner& Cohort::advance(std::size_t slot, const LearnerPlan& plan, std::int64_t to_steps,
                               const std::filesystem::path& checkpoint,
                               const std::function<bool()>& stop)
{
    Learner& learner = seat(slot, plan, to_steps, checkpoint);
    try {
        const std::int64_t before = learner.steps();
        auto saved = Clock::now();
        while (learner.steps() < to_steps && !(stop && stop())) {
            learner.step();
            if (Clock::now() - saved < save_every_) continue;
            try_to_save(checkpoint, learner);
            saved = Clock::now();
        }
        if (learner.steps() > before) try_to_save(checkpoint, learner);
    } catch (...) {
        slots_[slot].reset();
        throw;
    }
    return learner;
}

}  // namespace barsweep::agents
