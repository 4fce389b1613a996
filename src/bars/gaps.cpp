#include "bars/gaps.hpp"

#include <map>

namespace barsweep::bars {

Nanoseconds commonest_step(const std::vector<Nanoseconds>& time)
{
    std::map<Nanoseconds, std::int64_t> counts;
    for (std::size_t i = 1, run = 1; i < time.size(); i += run) {  // steps come in long runs
        const auto step = time[i] - time[i - 1];
        for (run = 1; i + run < time.size() && time[i + run] - time[i + run - 1] == step;) ++run;
        counts[step] += static_cast<std::int64_t>(run);
    }
    Nanoseconds best = 0;
    std::int64_t most = 0;
    for (const auto& [step, count] : counts)
        if (count > most) {
            best = step;
            most = count;
        }
    return best;
}

GapCount count_gaps(const BarSeries& series)
{
    GapCount count;
    for (std::size_t i = 1; i < series.size(); ++i) {
        const auto missing = bars_between(series.time[i - 1], series.time[i], series.interval);
        count.gaps += missing > 0;
        count.missing_bars += missing;
    }
    return count;
}

void fill_gaps(BarSeries& series)
{
    BarSeries filled = series;
    filled.time.clear();
    filled.ohlc.clear();
    filled.volume.clear();
    for (std::size_t i = 0; i < series.size(); ++i) {
        const auto missing =
            i == 0 ? 0 : bars_between(series.time[i - 1], series.time[i], series.interval);
        for (std::int64_t k = 1; k <= missing; ++k) {
            const auto close = series.ohlc[i - 1][3];
            filled.time.push_back(series.time[i - 1] + k * series.interval);
            filled.ohlc.push_back({close, close, close, close});
            filled.volume.push_back(0);
        }
        filled.time.push_back(series.time[i]);
        filled.ohlc.push_back(series.ohlc[i]);
        filled.volume.push_back(series.volume[i]);
    }
    series = std::move(filled);
}

}  // namespace barsweep::bars
