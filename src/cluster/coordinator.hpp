#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "search/study.hpp"

namespace barsweep::cluster {

/// Compute rung `rung` of `trial`. A worker that has the earlier rungs goes on from them, another
/// computes them again: the report is the same.
struct Task {
    int slot = 0;
    int rung = 0;
    search::Trial trial;
    int replicate = 0;  ///< which of the trial's seeds
};

struct Assignment {
    int worker = 0;
    Task task;
};

/// Predicted cost of one rung of a trial in any unit, finite and not negative: a pure function of
/// the configuration, since the order in which reports are taken follows it.
using RungCost = std::function<double(const search::Trial&, int rung)>;

/// In which order reports are taken: by virtual time, or as they come.
enum class Schedule { ordered, eager };

/// Keeps `slots` trials in flight and decides what runs where. Events in, assignments out: no MPI,
/// no clock, no threads, so a test plays any order of events, losses among them.
///
/// A trial of R replicates takes R slots: each rung is R tasks, and counts as reported once all
/// are. So slots / R trials (at least one) are in flight.
///
/// `ordered`: order is logical (DESIGN 3): each slot has a virtual clock that a rung advances by
/// its predicted cost; a new trial inherits its slot's clock. The next report to be taken is the
/// one of least (virtual finish, slot) among the running slots; reports that come early wait. So
/// the study is told the same reports in the same order for any number of workers and any timing.
/// `eager`: reports are taken as they come, which depends on timing; the ledger keeps their order,
/// and a study that goes on takes them in that order again. Reports that the ledger already holds
/// are taken from it without running anything.
///
/// An event costs O(log slots + log workers).
class Coordinator {
public:
    /// `study` must outlive this. Throws what the study throws, for example where the ledger says
    /// otherwise.
    Coordinator(search::Study& study, int slots, RungCost cost,
                Schedule schedule = Schedule::ordered);
    Coordinator(const Coordinator&) = delete;
    Coordinator& operator=(const Coordinator&) = delete;

    /// `worker` has joined and runs up to `capacity` tasks at once. One that joins again starts
    /// with nothing: what it had is handed out again.
    void on_join(int worker, int capacity);
    /// `worker` reports a task; one that nobody waits for (late, repeated) is dropped.
    void on_report(int worker, const search::Report& report);
    /// `worker` is gone: its tasks are handed out again, as urgent as before. Reports of it that
    /// come later are dropped.
    void on_lost(int worker);
    /// No new trials; what is in flight is abandoned (it stays running in the ledger).
    void stop();

    /// What to send now, the most urgent (least virtual finish) first. Call after every event, once
    /// the ledger has been committed.
    std::vector<Assignment> take_assignments();

    /// Every trial is finished, or the study was stopped.
    bool done() const noexcept { return stopped_ || order_.empty(); }
    int slots() const noexcept { return static_cast<int>(slots_.size()) * replicates_; }
    /// Tasks that are computed now, where each worker holds `ahead` of its capacity for tasks that
    /// wait there.
    int computing(int ahead) const;
    /// Trials that have begun and aren't finished.
    int in_flight() const noexcept { return static_cast<int>(order_.size()); }

private:
    static constexpr int nobody = -1;

    /// One seed of a slot's trial.
    struct Part {
        int worker = nobody;    ///< who computes the rung
        int previous = nobody;  ///< who computed the trial's last rung
        std::optional<search::Report> report;
    };
    struct Slot {
        search::Trial trial;
        int rung = 0;
        double clock = 0;   ///< virtual time at which the rung begins
        double finish = 0;  ///< and ends
        std::vector<Part> parts;
        int missing = 0;  ///< reports
    };
    struct Worker {
        int capacity = 0;
        std::set<int> parts;  ///< that it computes now
    };
    using ByUrgency = std::set<std::pair<double, int>>;  ///< (virtual finish, slot or part)

    void fill();
    void begin_rung(int slot);
    void settle();
    int next_to_take();
    int choose_worker(int previous) const;
    void set_parts(int worker, Worker& state, int part, bool add);
    Slot& slot_with(int part) { return slots_[static_cast<std::size_t>(part / replicates_)]; }
    Part& at(int part)
    {
        return slot_with(part).parts[static_cast<std::size_t>(part % replicates_)];
    }

    search::Study& study_;
    RungCost cost_;
    Schedule schedule_;
    int replicates_;
    bool stopped_ = false;
    std::vector<Slot> slots_;
    std::set<int> idle_;       ///< slots without a trial
    ByUrgency order_;          ///< slots with a trial
    ByUrgency waiting_;        ///< parts of them (slot * replicates + replicate) without a worker
    std::deque<int> arrived_;  ///< eager: slots whose reports are all there, in that order
    std::unordered_map<std::int64_t, int> slot_of_;  ///< trial number -> slot
    std::map<int, Worker> workers_;
    std::set<std::pair<int, int>> free_;  ///< (-free capacity, worker), free capacity > 0
};

}  // namespace barsweep::cluster
