#pragma once
#include <functional>
#include <stop_token>
#include <string>

#include "cluster/comm.hpp"
#include "cluster/coordinator.hpp"
#include "cluster/signals.hpp"
#include "search/ledger.hpp"

namespace barsweep::cluster {

/// Thrown by a RunTask that was asked to end early (ServeOptions::interrupt) and has kept what it
/// had: the rung gives no report.
struct Interrupted {};

/// Computes one rung; called from several threads at once. What it throws becomes a report whose
/// `failure` is the exception's text: a failing trial never takes the study with it. The report's
/// trial, rung and rank are filled in by the caller.
using RunTask = std::function<search::Report(const Task&)>;

/// Loads what a rank computes on, and returns what runs there. `study` is rank 0's own
/// ServeOptions::study: a rank whose job or data differ throws, since its scores would be of
/// another study.
using Prepare = std::function<RunTask(const std::string& study)>;

struct ServeOptions {
    int threads = 1;           ///< computing threads of this rank; on rank 0 also 0: it only leads
    double heartbeat = 1.0;    ///< seconds between signs of life
    double lost_after = 30.0;  ///< seconds of silence after which a rank counts as dead
    double timeout = 0;        ///< seconds after which no more is handed out; 0: none
    /// Asked to stop when this rank's serving ends, so that a long rung can end early.
    std::stop_source interrupt{};
    std::string study{};  ///< on rank 0: what it computes on, for the others' `Prepare`
};

/// Called on rank 0 after events were taken, at most a few times a second; for progress lines.
using OnProgress = std::function<void(const Coordinator&)>;

enum class Ending { done, timeout, stopped };

/// What came of the slots' time, in seconds: computed, and what could have been: threads, at most
/// one a slot, times wall clock.
struct Busy {
    double computed = 0, possible = 0;

    double share() const noexcept { return possible > 0 ? computed / possible : 1; }
};

/// Rank 0: runs the coordinator over all ranks, its own threads among them, until the study is
/// done, its time is up, or a signal (to any rank) asks to stop. Commits the ledger before anything
/// decided is sent. What it throws, a ledger that can't be written for example, it throws after
/// sending the others home. With one rank nothing goes over MPI. A rung that runs when it ends
/// early is interrupted and waited for.
Ending lead(Comm& comm, const StopSignals& signals, Coordinator& coordinator,
            search::Ledger& ledger, const RunTask& run, const ServeOptions& options,
            const OnProgress& on_progress, Busy* busy = nullptr);

/// Every other rank: waits until rank 0 leads, so that bad input is found and told once, by rank 0;
/// then prepares, and computes what rank 0 sends until it says go home, or has been silent for
/// `lost_after` seconds (then throws UserError, exit stopped; 20 times as long while rank 0 still
/// checks and loads). A rank that can't go on, in `prepare` or later, tells rank 0, waits to be
/// sent home, and throws what stopped it. Returns without preparing where rank 0 dismisses it
/// first.
Ending work(Comm& comm, const StopSignals& signals, const Prepare& prepare,
            const ServeOptions& options);

/// Rank 0, where it fails before `lead`: sends the others home, so that they don't wait for it.
void dismiss(Comm& comm, Ending ending);

}  // namespace barsweep::cluster
