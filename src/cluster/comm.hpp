#pragma once
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace barsweep::cluster {

/// A line of text from another rank.
struct Letter {
    int from = 0;
    std::string text;
};

/// MPI for the length of main(), as the ranks of one job: text messages, nothing that may block on
/// a dead rank (FACTS: Isend, Iprobe, Test only). Where no launcher started the program, rank 0 of
/// 1, and MPI isn't initialised. One a process; its functions belong to the main thread.
class Comm {
public:
    Comm(int& argc, char**& argv);
    Comm(const Comm&) = delete;
    Comm& operator=(const Comm&) = delete;
    /// As leave(1), where leave was not called.
    ~Comm();

    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }

    /// Sends without waiting; nothing is sent to a rank that counts as lost.
    void send(int to, std::string text);

    /// The next letter that has arrived whole. Letters of one rank keep their order. A rank that is
    /// heard counts as living again.
    std::optional<Letter> receive();

    /// Waits until all that was sent to living ranks is on its way, at most `patience`.
    void flush(std::chrono::milliseconds patience);

    /// `rank` counts as dead: nothing is sent to it, and no one waits for it.
    void lose(int rank);
    bool lost(int rank) const { return lost_.at(static_cast<std::size_t>(rank)); }

    /// Ends MPI; call it last in main, with the status that main returns. Ranks wait for one
    /// another asleep, rank 0 for all; then MPI is finalised. Where a rank was lost, or the others
    /// don't come, the process ends here with `status` instead, since MPI_Finalize may wait for the
    /// dead.
    void leave(int status);

private:
    struct Outgoing;
    struct Incoming;

    void sweep_sent();
    void accept();
    void wait_for_all();
    bool close_the_door();
    bool wait_for_rank_0();

    int rank_ = 0;
    int size_ = 1;
    bool active_ = false;  ///< MPI is initialised and not left yet
    std::vector<bool> lost_;
    std::deque<std::unique_ptr<Outgoing>> outgoing_;  ///< buffers stay where they are until sent
    std::deque<std::unique_ptr<Incoming>> incoming_;  ///< in order of arrival
};

}  // namespace barsweep::cluster
