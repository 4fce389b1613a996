#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "base/log.hpp"

namespace barsweep::cli {
namespace {

struct Tally {
    std::int64_t finished = 0;  ///< trials
    std::int64_t bars = 0;      ///< summed over the rungs that were reported
};

Tally tally(const search::Study& study)
{
    Tally sum;
    for (const auto& record : study.trials()) {
        sum.finished += record.state != search::TrialState::running;
        for (const auto& rung : record.rungs) sum.bars += rung.step;
    }
    return sum;
}

/// "45s", "3m20s", "2h05m".
std::string short_time(double seconds)
{
    const auto whole = static_cast<long>(seconds + 0.5);
    if (whole < 60) return fmt::format("{}s", whole);
    if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
    return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
}

/// "12.3 M bars/s".
std::string rate(double per_second)
{
    if (per_second >= 1e6) return fmt::format("{:.1f} M bars/s", per_second / 1e6);
    return fmt::format("{:.0f} bars/s", per_second);
}

}  // namespace

Progress::Progress(const search::Study& study)
    : study_{study}, terminal_{::isatty(STDERR_FILENO) == 1}, begun_{Clock::now()}
{
    const auto before = tally(study);
    finished_before_ = before.finished;
    bars_before_ = before.bars;
}

Progress::~Progress()
{
    if (terminal_ && shown_) [[maybe_unused]]
        const auto written = ::write(STDERR_FILENO, "\n", 1);
}

void Progress::show()
{
    using std::chrono::duration;
    const auto now = Clock::now();
    const duration<double> pause{terminal_ ? 0.2 : 10.0};
    if (now - shown_.value_or(begun_) < pause) return;
    shown_ = now;

    const auto [finished, bars] = tally(study_);
    const double elapsed = duration<double>(now - begun_).count();
    const auto here = finished - finished_before_;

    auto line = fmt::format("{} of {} trials", finished, study_.plan().trials);
    if (const auto* best = study_.best())
        line += fmt::format(", best {:.4g} (trial {})", best->value, best->trial.number);
    line += ", " + rate(static_cast<double>(bars - bars_before_) / elapsed);
    if (here > 0)
        line += ", " +
                short_time(elapsed * static_cast<double>(study_.plan().trials - finished) /
                           static_cast<double>(here)) +
                " left";

    if (!terminal_) return log_line(line);
    line = "\r" + line + "\x1b[K";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace barsweep::cli
