#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "base/error.hpp"

namespace barsweep::cli {

/// How a lock's holder shows that it lives to other machines, and how long they wait for a sign.
struct LockPace {
    std::chrono::milliseconds beat{10'000};
    std::chrono::milliseconds patience{60'000};
};

/// The right to write a study's folder, held by one program on any of the machines that see it: the
/// file `lock`, made by O_EXCL (which NFS 3 and later honour as a local disk does; flock they may
/// not), in which the holder's host, pid, start time and machine stand. It goes with the object.
///
/// A killed program leaves its lock. The next start takes it over where
/// - this machine wrote it (same boot, same pid namespace) and no process of that pid and start
///   time is left;
/// - another machine wrote it and its modification time, which a living holder renews every
///   `beat`, stood still for `patience`: by the file server's clock, or watched here.
/// Who takes over makes `lock.claim` by O_EXCL first and renames it onto `lock`, so that of two
/// starts one wins.
class StudyLock {
public:
    /// Throws UserError for a folder that can't be written, and for one that another running
    /// program holds (naming its host and pid).
    explicit StudyLock(const std::filesystem::path& folder, LockPace pace = {});
    ~StudyLock();
    StudyLock(const StudyLock&) = delete;
    StudyLock& operator=(const StudyLock&) = delete;

    /// Throws UserError where the lock is no longer ours: this program stood still for so long that
    /// another took over, or somebody removed the file. Seen at the next beat.
    void check() const;

private:
    void take_over();
    void renew();

    std::filesystem::path file_;
    LockPace pace_;
    std::string record_;
    std::atomic<bool> lost_ = false;
    std::mutex mutex_;
    std::condition_variable_any end_;
    std::jthread renewal_;
};

/// A folder that can't be written, with the system's reason: full disks are the machine's fault.
[[noreturn]] void throw_unwritable(const std::filesystem::path& path, int error);

}  // namespace barsweep::cli
