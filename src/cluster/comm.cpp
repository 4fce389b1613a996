#include "cluster/comm.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <set>
#include <stdexcept>
#include <thread>

namespace barsweep::cluster {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct Comm::Outgoing {
    int to;
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
};

struct Comm::Incoming {
    int from;
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
};

namespace {

enum Tag { letter = 1, at_the_door = 2, door_closes = 3 };

/// How long ranks wait for one another before they leave: rank 0 for a worker that still ends a
/// rung or loads its data, a worker for rank 0 that still writes the report, all for MPI_Finalize.
constexpr auto worker_patience = 60s;
constexpr auto rank_0_patience = 600s;
constexpr unsigned finalize_patience = 10;  // seconds
constexpr auto nap = 1ms;

void require(int code, const char* call)
{
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw std::runtime_error(std::string{call} + ": " +
                             std::string(text, static_cast<std::size_t>(length)));
}

bool launched()
{
    constexpr const char* signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK",
                                     "SLURM_PROCID"};
    return std::any_of(std::begin(signs), std::end(signs), std::getenv);
}

bool done(MPI_Request& request)
{
    int flag = 0;
    require(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
}

void send_byte(int to, Tag tag, bool value)
{
    static constexpr char bytes[] = {0, 1};  // stays: MPI reads it when it likes
    MPI_Request request;
    require(MPI_Isend(&bytes[value], 1, MPI_CHAR, to, tag, MPI_COMM_WORLD, &request), "MPI_Isend");
    require(MPI_Request_free(&request), "MPI_Request_free");
}

/// The byte of a door message that has arrived from `from`, if one has, with its sender.
std::optional<std::pair<int, bool>> door_message(int from, Tag tag)
{
    int flag = 0;
    MPI_Status status;
    require(MPI_Iprobe(from, tag, MPI_COMM_WORLD, &flag, &status), "MPI_Iprobe");
    if (!flag) return {};
    char byte = 0;  // eager: all of it is here, the receive can't wait
    require(MPI_Recv(&byte, 1, MPI_CHAR, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
            "MPI_Recv");
    return {{status.MPI_SOURCE, byte != 0}};
}

/// The process ends here; what was printed is kept.
[[noreturn]] void abandon(int status)
{
    std::cout.flush();
    std::fflush(nullptr);
    _exit(status);
}

volatile std::sig_atomic_t status_on_alarm = 0;

void on_alarm(int)
{
    _exit(status_on_alarm);
}

}  // namespace

Comm::Comm(int& argc, char**& argv) : lost_(1)
{
    if (!launched()) return;
    int provided = 0;
    require(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    active_ = true;
    // Over TCP a small send to a dead rank would end this one without a word.
    std::signal(SIGPIPE, SIG_IGN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (provided < MPI_THREAD_FUNNELED)
        throw std::runtime_error("this MPI library can't run in a program with threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    lost_.resize(static_cast<std::size_t>(size_));
}

Comm::~Comm()
{
    leave(1);
}

void Comm::send(int to, std::string text)
{
    if (lost(to)) return;
    sweep_sent();
    auto& out = *outgoing_.emplace_back(new Outgoing{to, std::move(text)});
    require(MPI_Isend(out.text.data(), static_cast<int>(out.text.size()), MPI_CHAR, to, letter,
                      MPI_COMM_WORLD, &out.request),
            "MPI_Isend");
}

/// Drops the buffers of what has been sent. Those of a lost rank stay: MPI may still read them.
void Comm::sweep_sent()
{
    std::erase_if(outgoing_, [](auto& out) { return done(out->request); });
}

/// Begins to receive every letter that has been announced.
void Comm::accept()
{
    for (;;) {
        int flag = 0;
        MPI_Message message;
        MPI_Status status;
        require(MPI_Improbe(MPI_ANY_SOURCE, letter, MPI_COMM_WORLD, &flag, &message, &status),
                "MPI_Improbe");
        if (!flag) return;
        int length = 0;
        MPI_Get_count(&status, MPI_CHAR, &length);
        auto& in = *incoming_.emplace_back(
            new Incoming{status.MPI_SOURCE, std::string(static_cast<std::size_t>(length), '\0')});
        require(MPI_Imrecv(in.text.data(), length, MPI_CHAR, &message, &in.request), "MPI_Imrecv");
    }
}

std::optional<Letter> Comm::receive()
{
    if (!active_ || size_ == 1) return {};
    sweep_sent();
    accept();
    std::set<int> unfinished;  // ranks with an earlier letter that isn't here whole yet
    for (auto in = incoming_.begin(); in != incoming_.end(); ++in) {
        const int from = (*in)->from;
        if (unfinished.contains(from)) continue;
        if (!done((*in)->request)) {
            unfinished.insert(from);
            continue;
        }
        Letter arrived{from, std::move((*in)->text)};
        incoming_.erase(in);
        lost_[static_cast<std::size_t>(from)] = false;
        return arrived;
    }
    return {};
}

void Comm::flush(std::chrono::milliseconds patience)
{
    const auto end = Clock::now() + patience;
    for (;;) {
        sweep_sent();
        const bool pending = std::any_of(outgoing_.begin(), outgoing_.end(),
                                         [this](const auto& out) { return !lost(out->to); });
        if (!pending || Clock::now() > end) return;
        std::this_thread::sleep_for(nap);
    }
}

void Comm::lose(int rank)
{
    lost_.at(static_cast<std::size_t>(rank)) = true;
}

/// Rank 0: until every living rank is at the door.
void Comm::wait_for_all()
{
    std::vector<bool> here(static_cast<std::size_t>(size_));
    here[0] = true;
    const auto missing = [&](int rank) {
        return !here[static_cast<std::size_t>(rank)] && !lost(rank);
    };
    const auto end = Clock::now() + worker_patience;
    for (;;) {
        while (const auto message = door_message(MPI_ANY_SOURCE, at_the_door))
            here[static_cast<std::size_t>(message->first)] = true;
        bool all = true;
        for (int rank = 1; rank < size_; ++rank) all = all && !missing(rank);
        if (all) return;
        if (Clock::now() > end) break;
        std::this_thread::sleep_for(nap);
    }
    for (int rank = 1; rank < size_; ++rank)
        if (missing(rank)) lose(rank);
}

/// Whether all ranks live, as rank 0 says.
bool Comm::wait_for_rank_0()
{
    if (lost(0)) return false;
    send_byte(0, at_the_door, true);
    const auto end = Clock::now() + rank_0_patience;
    while (Clock::now() < end) {
        if (const auto message = door_message(0, door_closes)) return message->second;
        std::this_thread::sleep_for(nap);
    }
    return false;
}

/// Rank 0: tells the living whether all live.
bool Comm::close_the_door()
{
    wait_for_all();
    const bool all_live = std::find(lost_.begin(), lost_.end(), true) == lost_.end();
    for (int rank = 1; rank < size_; ++rank)
        if (!lost(rank)) send_byte(rank, door_closes, all_live);
    if (!all_live) std::this_thread::sleep_for(100ms);  // the last bytes leave before we do
    return all_live;
}

void Comm::leave(int status)
{
    if (!active_) return;
    active_ = false;
    try {
        flush(1s);
        const bool all_live = rank_ == 0 ? close_the_door() : wait_for_rank_0();
        if (!all_live) abandon(status);
    } catch (const std::runtime_error&) {  // MPI is broken: the same as a lost rank
        abandon(status);
    }
    std::cout.flush();
    std::fflush(nullptr);
    status_on_alarm = status;
    std::signal(SIGALRM, on_alarm);
    alarm(finalize_patience);
    MPI_Finalize();
    alarm(0);
}

}  // namespace barsweep::cluster
