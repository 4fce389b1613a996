#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "cluster/crew.hpp"
#include "cluster/nap.hpp"
#include "cluster/serve.hpp"
#include "cluster/signals.hpp"
#include "cluster/wire.hpp"

namespace barsweep::cluster {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr auto progress_interval = 250ms;
constexpr int tasks_ahead = 1;  // that wait at a rank, so that no thread waits for an answer

/// Rank 0's view of another rank.
struct Peer {
    enum { absent, working, left, lost, sent_home } state = absent;
    Clock::time_point heard{};
};

class Leader {
public:
    Leader(Comm& comm, const StopSignals& signals, Coordinator& coordinator, search::Ledger& ledger,
           const RunTask& run, const ServeOptions& options, const OnProgress& on_progress,
           Busy* busy)
        : comm_(comm),
          signals_(signals),
          coordinator_(coordinator),
          ledger_(ledger),
          options_(options),
          on_progress_(on_progress),
          busy_(busy),
          crew_(options.threads, 0, run, options.interrupt),
          peers_(static_cast<std::size_t>(comm.size()))
    {
        if (options.threads > 0) join(0, options.threads + tasks_ahead);
        for (int rank = 1; rank < comm.size(); ++rank)
            comm.send(rank, to_line(Start{options.study}));
    }

    Ending run();
    void send_home(Ending ending);

private:
    void act();
    void join(int rank, int capacity);
    bool take_own(std::chrono::microseconds patience);
    bool take_letters();
    bool take(int rank, const Message& message);
    bool watch();
    void bury(int rank);
    void tell_progress(bool at_once);
    void count_busy();

    Comm& comm_;
    const StopSignals& signals_;
    Coordinator& coordinator_;
    search::Ledger& ledger_;
    const ServeOptions& options_;
    const OnProgress& on_progress_;
    Busy* busy_;
    int computing_ = 0;  ///< tasks, since the last look at the clock
    Crew crew_;
    std::vector<Peer> peers_;  ///< by rank; the first unused
    int threads_ = 0;          ///< of all ranks that joined
    bool said_surplus_ = false;
    bool stop_asked_ = false;
    bool untold_ = true;  ///< something happened that on_progress hasn't seen
    const Clock::time_point begin_ = Clock::now();
    Clock::time_point last_beat_ = begin_;
    Clock::time_point last_count_ = begin_;
    Clock::time_point last_progress_{};
};

Ending Leader::run()
{
    const Nap longest = comm_.size() == 1 ? longest_alone : longest_among_ranks;
    Nap nap = shortest_nap;
    for (bool news = true;;) {
        count_busy();
        if (news) act();
        computing_ = coordinator_.computing(tasks_ahead);
        tell_progress(coordinator_.done());
        if (coordinator_.done()) return Ending::done;
        const bool stop = stop_asked_ || signals_.received() != 0;
        const bool late =
            options_.timeout > 0 && Clock::now() - begin_ >= Seconds{options_.timeout};
        if (stop || late) {
            coordinator_.stop();
            return stop ? Ending::stopped : Ending::timeout;
        }
        nap = news ? shortest_nap : std::min(2 * nap, longest);
        news = take_own(nap);
        news |= take_letters();
        news |= watch();
    }
}

/// What was decided is on disk before anyone acts on it.
void Leader::act()
{
    untold_ = true;
    ledger_.commit();
    for (auto& [worker, task] : coordinator_.take_assignments()) {
        if (worker == 0)
            crew_.push(std::move(task));
        else
            comm_.send(worker, to_line(task));
    }
}

void Leader::join(int rank, int capacity)
{
    coordinator_.on_join(rank, capacity);
    threads_ += capacity - tasks_ahead;
    if (threads_ <= coordinator_.slots() || said_surplus_) return;
    said_surplus_ = true;
    log_line(std::to_string(threads_) + " computing threads for " +
             std::to_string(coordinator_.slots()) +
             " trials in flight: some idle (more study.slots would use them)");
}

bool Leader::take_own(std::chrono::microseconds patience)
{
    bool news = false;
    while (const auto report = crew_.pop(patience)) {
        coordinator_.on_report(0, *report);
        news = true;
        patience = {};
    }
    return news;
}

bool Leader::take_letters()
{
    bool news = false;
    while (const auto letter = comm_.receive()) {
        Peer& peer = peers_[static_cast<std::size_t>(letter->from)];
        peer.heard = Clock::now();
        if (peer.state == Peer::lost) {  // its tasks run elsewhere
            comm_.send(letter->from, to_line(Home{Ending::stopped}));
            peer.state = Peer::sent_home;
        }
        if (peer.state != Peer::sent_home) news |= take(letter->from, from_line(letter->text));
    }
    return news;
}

/// Whether there may be something new to hand out.
bool Leader::take(int rank, const Message& message)
{
    Peer& peer = peers_[static_cast<std::size_t>(rank)];
    if (const auto* report = std::get_if<search::Report>(&message)) {
        coordinator_.on_report(rank, *report);
        return true;
    }
    if (const auto* hello = std::get_if<Join>(&message)) {
        peer.state = Peer::working;
        join(rank, hello->capacity);
        comm_.send(rank, to_line(Alive{}));
        return true;
    }
    if (const auto* bye = std::get_if<Bye>(&message)) {
        log_line("rank " + std::to_string(rank) + " can't go on, the others do: " + bye->why);
        peer.state = Peer::left;
        coordinator_.on_lost(rank);
        return true;
    }
    if (std::holds_alternative<StopRequest>(message)) stop_asked_ = true;
    return false;
}

/// Gives signs of life, and finds who gives none.
bool Leader::watch()
{
    const auto now = Clock::now();
    if (now - last_beat_ < Seconds{options_.heartbeat}) return false;
    last_beat_ = now;
    bool news = false;
    for (int rank = 1; rank < comm_.size(); ++rank) {
        const Peer& peer = peers_[static_cast<std::size_t>(rank)];
        if (peer.state == Peer::working && now - peer.heard > Seconds{options_.lost_after}) {
            bury(rank);
            news = true;
        }
        if (peer.state == Peer::working || peer.state == Peer::left)
            comm_.send(rank, to_line(Alive{}));
    }
    return news;
}

void Leader::bury(int rank)
{
    log_line("rank " + std::to_string(rank) +
             " gives no sign of life: its trials run again on the others");
    peers_[static_cast<std::size_t>(rank)].state = Peer::lost;
    comm_.lose(rank);
    coordinator_.on_lost(rank);
}

void Leader::tell_progress(bool at_once)
{
    const auto now = Clock::now();
    if (!untold_ || (!at_once && now - last_progress_ < progress_interval)) return;
    last_progress_ = now;
    untold_ = false;
    if (on_progress_) on_progress_(coordinator_);
}

/// Of the time since it was last called.
void Leader::count_busy()
{
    const auto now = Clock::now();
    const double seconds = Seconds{now - last_count_}.count();
    last_count_ = now;
    if (!busy_) return;
    const int able = std::min(threads_, coordinator_.slots());
    busy_->computed += seconds * std::min(computing_, able);
    busy_->possible += seconds * able;
}

void Leader::send_home(Ending ending)
{
    for (int rank = 1; rank < comm_.size(); ++rank)
        if (peers_[static_cast<std::size_t>(rank)].state != Peer::sent_home)
            comm_.send(rank, to_line(Home{ending}));
    comm_.flush(1s);
}

}  // namespace

Ending lead(Comm& comm, const StopSignals& signals, Coordinator& coordinator,
            search::Ledger& ledger, const RunTask& run, const ServeOptions& options,
            const OnProgress& on_progress, Busy* busy)
{
    Leader leader{comm, signals, coordinator, ledger, run, options, on_progress, busy};
    try {
        const Ending ending = leader.run();
        leader.send_home(ending);
        return ending;
    } catch (...) {
        leader.send_home(Ending::stopped);
        throw;
    }
}

void dismiss(Comm& comm, Ending ending)
{
    for (int rank = 1; rank < comm.size(); ++rank) comm.send(rank, to_line(Home{ending}));
    comm.flush(std::chrono::seconds{1});
}

}  // namespace barsweep::cluster
