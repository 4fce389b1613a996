#pragma once
#include <string>

namespace barsweep::cluster {

/// What decides the number of computing threads of a rank.
struct Processors {
    int allowed = 1;      ///< that this process may run on (its cpuset)
    int online = 1;       ///< of the machine
    int local_ranks = 1;  ///< ranks on this machine
};

/// This process, as kernel and launcher tell it.
Processors find_processors();

/// One thread a processor. Ranks that no one bound share the machine. `wish`: BARSWEEP_THREADS,
/// which overrides (UserError: not a number from 1 to 4096); empty: not set.
int count_threads(const Processors& processors, const std::string& wish);

/// The number for this rank.
int computing_threads();

/// Throws UserError where Slurm started `tasks` processes (SLURM_NTASKS; empty: not Slurm) that
/// don't know of each other: each would run the whole study. `by_mpirun`: mpirun made the ranks,
/// and their number is its user's choice.
void check_world(int size, const std::string& tasks, bool by_mpirun);

/// The same for this process; call it after Comm was made.
void check_world(int size);

}  // namespace barsweep::cluster
