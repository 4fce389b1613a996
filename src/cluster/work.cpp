#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "cluster/crew.hpp"
#include "cluster/nap.hpp"
#include "cluster/serve.hpp"
#include "cluster/signals.hpp"
#include "cluster/wire.hpp"

namespace barsweep::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// What a worker knows of rank 0.
struct Leadership {
    Comm& comm;
    const ServeOptions& options;
    double patience = 0;  ///< seconds
    Clock::time_point heard{};
    Clock::time_point last_beat{};

    /// Rank 0 may have much to do before its next word.
    void expect_much_later()
    {
        heard = Clock::now();
        patience = 20 * options.lost_after;
    }

    std::optional<Message> receive()
    {
        const auto letter = comm.receive();
        if (!letter) return {};
        heard = Clock::now();
        patience = options.lost_after;
        return from_line(letter->text);
    }

    void beat()
    {
        const auto now = Clock::now();
        if (now - last_beat < Seconds{options.heartbeat}) return;
        last_beat = now;
        comm.send(0, to_line(Alive{}));
    }

    bool silent() const { return Clock::now() - heard > Seconds{patience}; }
};

[[noreturn]] void mourn(Comm& comm)
{
    comm.lose(0);
    throw UserError({"MPI", "signs of life from rank 0", "none",
                     "run the same command again: it goes on where it was"},
                    Exit::stopped);
}

/// Waits for one of the messages `Wanted`; any other is dropped.
template <typename... Wanted>
Message wait_for(Leadership& rank_0)
{
    for (;;) {
        while (auto message = rank_0.receive())
            if ((std::holds_alternative<Wanted>(*message) || ...)) return std::move(*message);
        if (rank_0.silent()) mourn(rank_0.comm);
        std::this_thread::sleep_for(longest_among_ranks);
    }
}

Ending compute_until_home(Leadership& rank_0, const StopSignals& signals, const RunTask& run)
{
    Comm& comm = rank_0.comm;
    const int threads = rank_0.options.threads;
    Crew crew{threads, comm.rank(), run, rank_0.options.interrupt};
    // One task more than it computes, so that no thread waits for an answer.
    comm.send(0, to_line(Join{threads + 1}));
    rank_0.heard = Clock::now();  // it is silent to those that haven't joined
    bool said_stop = false;
    Nap nap = shortest_nap;
    for (;;) {
        bool news = false;
        while (const auto report = crew.pop(news ? Nap{} : nap)) {
            comm.send(0, to_line(*report));
            news = true;
        }
        while (auto message = rank_0.receive()) {
            if (auto* task = std::get_if<Task>(&*message)) crew.push(std::move(*task));
            if (const auto* home = std::get_if<Home>(&*message)) return home->ending;
            news = true;
        }
        if (const int signal = signals.received(); signal != 0 && !std::exchange(said_stop, true))
            comm.send(0, to_line(StopRequest{signal}));
        rank_0.beat();
        if (rank_0.silent()) mourn(comm);
        nap = news ? shortest_nap : std::min(2 * nap, longest_among_ranks);
    }
}

}  // namespace

Ending work(Comm& comm, const StopSignals& signals, const Prepare& prepare,
            const ServeOptions& options)
{
    Leadership rank_0{comm, options};
    rank_0.expect_much_later();
    try {
        const auto first = wait_for<Start, Home>(rank_0);
        if (const auto* home = std::get_if<Home>(&first)) return home->ending;
        return compute_until_home(rank_0, signals, prepare(std::get<Start>(first).study));
    } catch (const std::exception& error) {
        if (!comm.lost(0)) {
            comm.send(0, to_line(Bye{error.what()}));
            rank_0.expect_much_later();
            wait_for<Home>(rank_0);
        }
        throw;
    }
}

}  // namespace barsweep::cluster
