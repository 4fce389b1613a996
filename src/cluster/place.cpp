#include "cluster/place.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/error.hpp"

namespace barsweep::cluster {
namespace {

std::string from_environment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// 0: not a positive whole number.
int positive(const std::string& text)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole ? std::max(number, 0) : 0;
}

}  // namespace

Processors find_processors()
{
    Processors found;
    found.online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    cpu_set_t set;
    CPU_ZERO(&set);
    // Fails on machines of more than 1024 processors, which then count as all allowed.
    found.allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : found.online;
    for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
        if (const int ranks = positive(from_environment(name))) found.local_ranks = ranks;
    return found;
}

int count_threads(const Processors& processors, const std::string& wish)
{
    if (!wish.empty()) {
        const int threads = positive(wish);
        if (threads < 1 || threads > 4096)
            throw UserError({"BARSWEEP_THREADS", "a number of threads from 1 to 4096",
                             '"' + wish + '"', "set it to such a number, or unset it"});
        return threads;
    }
    const bool bound = processors.allowed < processors.online;
    return std::max(1, bound ? processors.allowed : processors.allowed / processors.local_ranks);
}

int computing_threads()
{
    return count_threads(find_processors(), from_environment("BARSWEEP_THREADS"));
}

void check_world(int size, const std::string& tasks, bool by_mpirun)
{
    const int expected = positive(tasks);
    if (by_mpirun || size >= expected) return;
    throw UserError(
        {"MPI", tasks + " ranks, as SLURM_NTASKS says",
         "a world of " + std::to_string(size) + ", so that each process would run the whole study",
         "start it with srun --mpi=pmix (srun --mpi=list shows what there is), or with "
         "mpirun"},
        Exit::machine);
}

void check_world(int size)
{
    // mpirun alone sets it; the other variables of Open MPI also appear under srun.
    const bool by_mpirun = std::getenv("OMPI_COMMAND") != nullptr;
    check_world(size, from_environment("SLURM_NTASKS"), by_mpirun);
}

}  // namespace barsweep::cluster
