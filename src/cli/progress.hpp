#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "search/study.hpp"

namespace barsweep::cli {

/// Bars that are computed for one rung of a trial.
using RungBars = std::function<std::int64_t(int rung)>;

/// What a study has behind it.
struct Tally {
    std::int64_t finished = 0;  ///< trials
    std::int64_t bars = 0;      ///< of all rungs that were told
};
Tally tally(const search::Study& study, const RungBars& bars);

/// How a sweep stands, on stderr: one line that is drawn over itself on a terminal, a plain line
/// every ten seconds elsewhere (a batch job's log).
class Progress {
public:
    Progress(const search::Study& study, RungBars bars);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// May be called as often as one likes; draws at most five times a second.
    void show();

private:
    using Clock = std::chrono::steady_clock;

    const search::Study& study_;
    RungBars bars_;
    bool terminal_;
    Clock::time_point begun_;
    std::optional<Clock::time_point> shown_;
    Tally before_;  ///< what earlier starts had done
};

}  // namespace barsweep::cli
