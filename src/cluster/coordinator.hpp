#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "search/study.hpp"

namespace barsweep::cluster {

/// Compute rung `rung` of `trial`. A worker that has the earlier rungs goes on from them, another
/// computes them again: the report is the same.
struct Task {
    int slot = 0;
    int rung = 0;
    search::Trial trial;
};

struct Assignment {
    int worker = 0;
    Task task;
};

/// Predicted cost of one rung of a trial in any unit: a pure function of the configuration, since
/// the order in which reports are taken follows it.
using RungCost = std::function<double(const search::Trial&, int rung)>;

/// Keeps `slots` trials in flight and decides what runs where. Events in, assignments out: no MPI,
/// no clock, no threads, so a test plays any order of events, losses among them.
///
/// Order is logical (DESIGN 3): each slot has a virtual clock that a rung advances by its predicted
/// cost; a new trial inherits its slot's clock. The next report to be taken is the one of least
/// (virtual finish, slot) among the running slots; reports that come early wait. So the study is told
/// the same reports in the same order for any number of workers and any timing. Reports that the
/// ledger already holds are taken from it without running anything.
class Coordinator {
public:
    Coordinator(search::Study& study, int slots, RungCost cost);

    /// `worker` has joined and runs up to `capacity` tasks at once.
    void on_join(int worker, int capacity);
    /// `worker` reports a task; one that nobody waits for (late, repeated) is dropped.
    void on_report(int worker, const search::Report& report);
    /// `worker` is gone: its tasks are handed out again, ahead of the rest. Reports of it that come
    /// later are dropped.
    void on_lost(int worker);
    /// No new trials; what is in flight is abandoned (it stays running in the ledger).
    void stop();

    /// What to send now, the most urgent (least virtual finish) first. Call after every event, once
    /// the ledger has been committed.
    std::vector<Assignment> take_assignments();

    /// Every trial is finished, or the study was stopped.
    bool done() const noexcept;
    int in_flight() const noexcept;
};

}  // namespace barsweep::cluster
