#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "base/log.hpp"

namespace barsweep::cli {
namespace {

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

Tally tally(const search::Study& study, const RungBars& bars)
{
    Tally sum;
    for (const auto& record : study.trials()) {
        sum.finished += record.state != search::TrialState::running;
        const auto rungs = static_cast<int>(record.rungs.size());
        for (int rung = 0; rung < rungs; ++rung) sum.bars += bars(rung);
    }
    return sum;
}

Progress::Progress(const search::Study& study, RungBars bars)
    : study_{study},
      bars_{std::move(bars)},
      terminal_{::isatty(STDERR_FILENO) == 1},
      begun_{Clock::now()},
      before_{tally(study, bars_)}
{
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

    const auto [finished, bars] = tally(study_, bars_);
    const double elapsed = duration<double>(now - begun_).count();
    const auto here = finished - before_.finished;

    auto line = fmt::format("{} of {} trials", finished, study_.plan().trials);
    if (const auto* best = study_.best())
        line += fmt::format(", best {:.4g} (trial {})", best->value, best->trial.number);
    line += ", " + rate(static_cast<double>(bars - before_.bars) / elapsed);
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
