#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "cluster/serve.hpp"

namespace barsweep::cluster {

/// The computing threads of a rank: tasks in, reports out, by one thread that owns it. A task that
/// throws gives a report whose `failure` says why.
class Crew {
public:
    /// Throws std::system_error where the machine gives no more threads.
    Crew(int threads, int rank, RunTask run, std::stop_source interrupt = {});
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    /// Interrupts the tasks that run and waits for them; those that wait, and all reports, are
    /// dropped.
    ~Crew();

    void push(Task task);

    /// A report, if there is one within `patience`.
    std::optional<search::Report> pop(std::chrono::microseconds patience);

private:
    void compute();
    void close();

    const RunTask run_;
    const int rank_;
    std::stop_source interrupt_;
    std::mutex mutex_;  ///< guards the three below
    std::deque<Task> tasks_;
    std::deque<search::Report> reports_;
    bool closed_ = false;
    std::condition_variable task_or_closed_;
    std::condition_variable report_;
    std::vector<std::jthread> threads_;  ///< last: they end before what they use
};

}  // namespace barsweep::cluster
