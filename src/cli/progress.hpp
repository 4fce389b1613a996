#pragma once
#include <chrono>
#include <cstdint>
#include <optional>

#include "search/study.hpp"

namespace barsweep::cli {

/// How a sweep stands, on stderr: one line that is drawn over itself on a terminal, a plain line
/// every ten seconds elsewhere (a batch job's log).
class Progress {
public:
    explicit Progress(const search::Study& study);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// May be called as often as one likes; draws at most five times a second.
    void show();

private:
    using Clock = std::chrono::steady_clock;

    const search::Study& study_;
    bool terminal_;
    Clock::time_point begun_;
    std::optional<Clock::time_point> shown_;
    std::int64_t finished_before_ = 0;  ///< trials that an earlier start had finished
    std::int64_t bars_before_ = 0;
};

}  // namespace barsweep::cli
