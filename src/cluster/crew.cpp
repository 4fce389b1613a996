#include "cluster/crew.hpp"

#include <exception>
#include <utility>

#include "cluster/wire.hpp"

namespace barsweep::cluster {
namespace {

std::string cause_of(const std::exception_ptr& thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc& error) {
        const std::string what = error.what();
        return what == std::bad_alloc{}.what() ? "out of memory" : what;
    } catch (const std::exception& error) {
        const std::string what = error.what();
        return what.empty() ? "an exception without a text" : what;
    } catch (...) {
        return "an exception of unknown type";
    }
}

/// Empty: the task was interrupted.
std::optional<search::Report> run_safely(const RunTask& run, const Task& task, int rank)
{
    search::Report report;
    try {
        report = run(task);
    } catch (const Interrupted&) {
        return {};
    } catch (...) {
        report = {};
        report.failure = cause_of(std::current_exception());
    }
    // The study sees the same text whichever rank ran the task.
    report.failure = valid_utf8(report.failure);
    report.reason = valid_utf8(report.reason);
    report.device = valid_utf8(report.device);
    report.trial = task.trial.number;
    report.rung = task.rung;
    report.replicate = task.replicate;
    report.rank = rank;
    return report;
}

}  // namespace

Crew::Crew(int threads, int rank, RunTask run, std::stop_source interrupt)
    : run_(std::move(run)), rank_(rank), interrupt_(std::move(interrupt))
{
    try {
        for (int thread = 0; thread < threads; ++thread)
            threads_.emplace_back([this] { compute(); });
    } catch (...) {
        close();
        throw;
    }
}

Crew::~Crew()
{
    close();
}

void Crew::close()
{
    interrupt_.request_stop();
    {
        const std::lock_guard lock{mutex_};
        closed_ = true;
    }
    task_or_closed_.notify_all();
}

void Crew::push(Task task)
{
    {
        const std::lock_guard lock{mutex_};
        tasks_.push_back(std::move(task));
    }
    task_or_closed_.notify_one();
}

std::optional<search::Report> Crew::pop(std::chrono::microseconds patience)
{
    std::unique_lock lock{mutex_};
    if (!report_.wait_for(lock, patience, [this] { return !reports_.empty(); })) return {};
    auto report = std::move(reports_.front());
    reports_.pop_front();
    return report;
}

void Crew::compute()
{
    std::unique_lock lock{mutex_};
    for (;;) {
        task_or_closed_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
        if (closed_) return;
        const Task task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        auto report = run_safely(run_, task, rank_);
        lock.lock();
        if (!report) continue;
        reports_.push_back(std::move(*report));
        report_.notify_one();
    }
}

}  // namespace barsweep::cluster
