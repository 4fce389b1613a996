#include "agents/cohort.hpp"

#include <algorithm>
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
    } catch (const std::bad_alloc&) {
        log_line(path.string() +
                 ": no memory to write it. (The trial goes on without this checkpoint.)");
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

Cohort::Cohort(const TrainingSet& set, std::size_t slots, Seconds save_every, std::size_t together)
    : set_{&set}, save_every_{save_every}, together_{together}, slots_(slots)
{
}

Learner& Cohort::seat(const Goal& goal)
{
    auto& seated = slots_.at(goal.slot);
    if (seated && seated->identity() == fingerprint(*set_, goal.plan) &&
        seated->steps() <= goal.to_steps) {
        return *seated;
    }
    seated.reset();  // first, so that two are never in memory
    seated = std::make_unique<Learner>(*set_, goal.plan);
    if (try_to_load(goal.checkpoint, *seated) && seated->steps() > goal.to_steps) {
        seated.reset();  // a rung is asked for again that lies behind
        seated = std::make_unique<Learner>(*set_, goal.plan);
    }
    return *seated;
}

void Cohort::advance_together(std::span<const Goal> goals, std::span<Arrival> arrivals,
                              const std::function<bool()>& stop)
{
    struct Seated {
        Learner* learner;
        std::int64_t to_steps;
        std::int64_t from;
        const std::filesystem::path& checkpoint;
    };
    std::vector<Seated> seated;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        try {
            auto& learner = seat(goals[i]);
            arrivals[i].learner = &learner;
            seated.push_back({&learner, goals[i].to_steps, learner.steps(), goals[i].checkpoint});
        } catch (...) {
            arrivals[i].failure = std::current_exception();
        }
    }
    auto saved = Clock::now();
    std::vector<Learner*> under_way;
    for (;;) {
        under_way.clear();
        for (const auto& one : seated) {
            const bool goes_on = !one.learner->failure() && one.learner->steps() < one.to_steps;
            if (goes_on) under_way.push_back(one.learner);
        }
        if (under_way.empty() || (stop && stop())) break;
        Learner::step(under_way, together_);
        if (Clock::now() - saved < save_every_) continue;
        for (const auto& one : seated) {
            if (!one.learner->failure()) try_to_save(one.checkpoint, *one.learner);
        }
        saved = Clock::now();
    }
    for (const auto& one : seated) {
        const bool moved = !one.learner->failure() && one.learner->steps() > one.from;
        if (moved) try_to_save(one.checkpoint, *one.learner);
    }
}

std::vector<Arrival> Cohort::advance(std::span<const Goal> goals, const std::function<bool()>& stop)
{
    std::vector<Arrival> arrivals(goals.size());
    for (std::size_t first = 0; first < goals.size(); first += together_) {
        const auto count = std::min(together_, goals.size() - first);
        advance_together(goals.subspan(first, count), std::span{arrivals}.subspan(first, count),
                         stop);
    }
    for (std::size_t i = 0; i < goals.size(); ++i) {
        auto& arrival = arrivals[i];
        if (arrival.learner != nullptr) arrival.failure = arrival.learner->failure();
        if (!arrival.failure) continue;
        arrival.learner = nullptr;
        slots_.at(goals[i].slot).reset();
    }
    return arrivals;
}

const Learner& Cohort::advance(const Goal& goal, const std::function<bool()>& stop)
{
    const auto arrival = advance({&goal, 1}, stop).front();
    if (arrival.failure) std::rethrow_exception(arrival.failure);
    return *arrival.learner;
}

}  // namespace barsweep::agents
