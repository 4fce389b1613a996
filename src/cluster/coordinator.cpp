#include "cluster/coordinator.hpp"

#include <cmath>
#include <stdexcept>

namespace barsweep::cluster {

Coordinator::Coordinator(search::Study& study, int slots, RungCost cost)
    : study_(study), cost_(std::move(cost)), slots_(static_cast<std::size_t>(slots))
{
    for (int slot = 0; slot < slots; ++slot) idle_.insert(slot);
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
    Slot& slot = slots_[static_cast<std::size_t>(found->second)];
    if (slot.worker != worker || slot.rung != report.rung) return;

    set_slots(worker, workers_.at(worker), found->second, false);
    slot.worker = nobody;
    slot.previous = worker;
    slot.report = report;
    settle();
}

void Coordinator::on_lost(int worker)
{
    const auto lost = workers_.find(worker);
    if (lost == workers_.end()) return;
    for (const int index : lost->second.slots) {
        Slot& slot = slots_[static_cast<std::size_t>(index)];
        slot.worker = nobody;
        waiting_.insert({slot.finish, index});
    }
    const auto& [capacity, slots] = lost->second;
    free_.erase({static_cast<int>(slots.size()) - capacity, worker});
    workers_.erase(lost);
}

void Coordinator::stop()
{
    stopped_ = true;
    waiting_.clear();
}

std::vector<Assignment> Coordinator::take_assignments()
{
    std::vector<Assignment> assignments;
    while (!stopped_ && !waiting_.empty() && !free_.empty()) {
        const int index = waiting_.begin()->second;
        waiting_.erase(waiting_.begin());
        Slot& slot = slots_[static_cast<std::size_t>(index)];
        slot.worker = choose_worker(slot.previous);
        set_slots(slot.worker, workers_.at(slot.worker), index, true);
        assignments.push_back({slot.worker, {index, slot.rung, slot.trial}});
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

void Coordinator::set_slots(int worker, Worker& state, int slot, bool add)
{
    const auto room = [&] { return state.capacity - static_cast<int>(state.slots.size()); };
    free_.erase({-room(), worker});
    if (add)
        state.slots.insert(slot);
    else
        state.slots.erase(slot);
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
        slot.rung = 0;
        slot.previous = nobody;
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
    slot.report = study_.recorded(slot.trial.number, slot.rung);
    order_.insert({slot.finish, index});
    if (!slot.report) waiting_.insert({slot.finish, index});
}

/// Takes every report whose turn it is.
void Coordinator::settle()
{
    while (!order_.empty()) {
        const int index = order_.begin()->second;
        Slot& slot = slots_[static_cast<std::size_t>(index)];
        if (!slot.report) return;

        const auto decision = study_.tell(*slot.report);
        order_.erase(order_.begin());
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
