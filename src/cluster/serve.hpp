#pragma once
#include <functional>
#include <string>

#include "cluster/comm.hpp"
#include "cluster/coordinator.hpp"
#include "search/ledger.hpp"

namespace barsweep::cluster {

/// Computes one rung; called from several threads at once. What it throws becomes a report whose
/// `failure` is the exception's text: a failing trial never takes the study with it.
using RunTask = std::function<search::Report(const Task&)>;

struct ServeOptions {
    int threads = 1;                ///< computing threads of this rank
    double heartbeat = 1.0;         ///< seconds between signs of life
    double lost_after = 30.0;       ///< seconds of silence after which a rank counts as dead
    double timeout = 0;             ///< seconds after which no more is handed out; 0: none
};

/// Called on rank 0 after events were taken, at most a few times a second; for progress lines.
using OnProgress = std::function<void(const Coordinator&)>;

enum class Ending { done, timeout, stopped };

/// Rank 0: runs the coordinator over all ranks, its own threads among them, until the study is done,
/// its time is up, or a signal asks to stop. Commits the ledger before anything decided is sent.
/// With one rank nothing goes over MPI.
Ending lead(Comm& comm, Coordinator& coordinator, search::Ledger& ledger, const RunTask& run,
            const ServeOptions& options, const OnProgress& on_progress);

/// Every other rank: computes what rank 0 sends until it says go home, or has been silent for
/// `lost_after` seconds (then throws std::runtime_error).
Ending work(Comm& comm, const RunTask& run, const ServeOptions& options);

}  // namespace barsweep::cluster
