#include "cluster/coordinator.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace barsweep::cluster {

Coordinator::Coordinator(search::Study& study, int slots, RungCost cost, Schedule schedule)
    : study_(study),
      cost_(std::move(cost)),
      schedule_(schedule),
      replicates_(study.plan().replicates),
      slots_(static_cast<std::size_t>(std::max(1, slots / replicates_)))
{
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        slots_[slot].parts.resize(static_cast<std::size_t>(replicates_));
        idle_.insert(static_cast<int>(slot));
    }
    fill();
    settle();
}

void Coordinator::on_join(int worker, int capacity)
{
    on_lost(worker);
    workers_[worker].capacity = capacity;
    if (capacity > 0) free_.insert({-capacity, worker});
}

void Coordinator::on_report(int worker, const search::Report& report)
{
    const auto found = slot_of_.find(report.trial);
    if (stopped_ || found == slot_of_.end()) return;
    if (report.replicate < 0 || report.replicate >= replicates_) return;
    Slot& slot = slots_[static_cast<std::size_t>(found->second)];
    const int index = found->second * replicates_ + report.replicate;
    Part& part = at(index);
    if (part.worker != worker || slot.rung != report.rung) return;

    set_parts(worker, workers_.at(worker), index, false);
    part.worker = nobody;
    part.previous = worker;
    part.report = report;
    if (--slot.missing == 0 && schedule_ == Schedule::eager) arrived_.push_back(found->second);
    settle();
}

void Coordinator::on_lost(int worker)
{
    const auto lost = workers_.find(worker);
    if (lost == workers_.end()) return;
    for (const int part : lost->second.parts) {
        at(part).worker = nobody;
        waiting_.insert({slot_with(part).finish, part});
    }
    const auto& [capacity, parts] = lost->second;
    free_.erase({static_cast<int>(parts.size()) - capacity, worker});
    workers_.erase(lost);
}

void Coordinator::stop()
{
    stopped_ = true;
    waiting_.clear();
}

int Coordinator::computing(int ahead) const
{
    int sum = 0;
    for (const auto& [worker, state] : workers_)
        sum += std::min(static_cast<int>(state.parts.size()), std::max(1, state.capacity - ahead));
    return sum;
}

std::vector<Assignment> Coordinator::take_assignments()
{
    std::vector<Assignment> assignments;
    while (!stopped_ && !waiting_.empty() && !free_.empty()) {
        const int index = waiting_.begin()->second;
        waiting_.erase(waiting_.begin());
        const Slot& slot = slot_with(index);
        Part& part = at(index);
        part.worker = choose_worker(part.previous);
        set_parts(part.worker, workers_.at(part.worker), index, true);
        assignments.push_back({part.worker, {index, slot.rung, slot.trial, index % replicates_}});
    }
    return assignments;
}

/// The worker with the most room; of several the one that has the trial's earlier rungs. An idle
/// worker that computes them again is done before a busy one that first finishes something else.
int Coordinator::choose_worker(int previous) const
{
    const auto [most_room, worker] = *free_.begin();
    return free_.contains({most_room, previous}) ? previous : worker;
}

void Coordinator::set_parts(int worker, Worker& state, int part, bool add)
{
    const auto room = [&] { return state.capacity - static_cast<int>(state.parts.size()); };
    free_.erase({-room(), worker});
    if (add)
        state.parts.insert(part);
    else
        state.parts.erase(part);
    if (room() > 0) free_.insert({-room(), worker});
}

/// Gives slots without a trial their next one; a slot keeps its clock. One that got none asks again
/// after the next report: a study that goes on with more `trials` repeats its old end first.
void Coordinator::fill()
{
    while (!idle_.empty()) {
        auto trial = study_.ask();
        if (!trial) return;
        const int index = *idle_.begin();
        idle_.erase(idle_.begin());
        Slot& slot = slots_[static_cast<std::size_t>(index)];
        slot.trial = std::move(*trial);
        slot.rung = study_.due(slot.trial.number);
        for (auto& part : slot.parts) part.previous = nobody;
        slot_of_.emplace(slot.trial.number, index);
        begin_rung(index);
    }
}

void Coordinator::begin_rung(int index)
{
    Slot& slot = slots_[static_cast<std::size_t>(index)];
    const double cost = cost_(slot.trial, slot.rung);
    if (!std::isfinite(cost) || cost < 0)
        throw std::logic_error("cost of a rung: expected a finite number from 0, found " +
                               std::to_string(cost));
    slot.finish = slot.clock + cost;
    slot.missing = 0;
    order_.insert({slot.finish, index});
    for (int replicate = 0; replicate < replicates_; ++replicate) {
        const int part = index * replicates_ + replicate;
        at(part).report = study_.recorded(slot.trial.number, slot.rung, replicate);
        if (at(part).report) continue;
        waiting_.insert({slot.finish, part});
        ++slot.missing;
    }
    if (slot.missing == 0 && schedule_ == Schedule::eager) arrived_.push_back(index);
}

/// The slot whose reports are taken next; `nobody`: they aren't there yet.
int Coordinator::next_to_take()
{
    if (order_.empty()) return nobody;
    if (schedule_ == Schedule::ordered) {
        const int index = order_.begin()->second;
        return slots_[static_cast<std::size_t>(index)].missing == 0 ? index : nobody;
    }
    if (const auto next = study_.next_recorded())
        if (const auto found = slot_of_.find(next->trial); found != slot_of_.end())
            return slots_[static_cast<std::size_t>(found->second)].missing == 0 ? found->second
                                                                                : nobody;
    return arrived_.empty() ? nobody : arrived_.front();
}

/// Takes every report whose turn it is.
void Coordinator::settle()
{
    for (int index = next_to_take(); index != nobody; index = next_to_take()) {
        Slot& slot = slots_[static_cast<std::size_t>(index)];
        std::vector<search::Report> reports;
        for (auto& part : slot.parts) reports.push_back(*std::exchange(part.report, {}));
        const auto decision = study_.tell_all(reports);
        order_.erase({slot.finish, index});
        std::erase(arrived_, index);
        slot.clock = slot.finish;
        if (decision == search::Decision::go_on) {
            ++slot.rung;
            begin_rung(index);
        } else {
            slot_of_.erase(slot.trial.number);
            idle_.insert(index);
        }
        fill();
    }
}

}  // namespace barsweep::cluster
