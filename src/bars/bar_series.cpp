#include "bars/bar_series.hpp"

#include <cmath>
#include <limits>

#include "bars/sha256.hpp"
#include "base/decimal.hpp"

namespace barsweep::bars {

double measured_ppy(const BarSeries& series)
{
    constexpr double year = 365.25 * 86400e9;
    if (series.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    const auto span = static_cast<double>(series.time.back() - series.time.front());
    return static_cast<double>(series.size() - 1) / (span / year);
}

std::string canonical_sha256(const BarSeries& series)
{
    constexpr std::size_t piece = 1 << 20;
    Sha256 sum;
    std::string lines;
    for (std::size_t i = 0; i < series.size(); ++i) {
        append_text(lines, series.time[i], 0);
        for (const auto ticks : series.ohlc[i]) {
            lines += ',';
            append_text(lines, ticks, series.price_decimals);
        }
        lines += '\n';
        if (lines.size() < piece) continue;
        sum.add(lines);
        lines.clear();
    }
    sum.add(lines);
    return sum.hex();
}

void compute_sigma(BarSeries& series)
{
    // SEMANTICS 1 and 8: EWMA of squared log returns, RiskMetrics form (J.P. Morgan, RiskMetrics
    // Technical Document, 1996, eq. 5.3) with 1 - lambda = 2/(100 + 1), no mean.
    constexpr double k = 2.0 / 101;
    series.sigma.assign(series.size(), 0);
    double variance = 0;
    for (std::size_t i = 1; i < series.size(); ++i) {
        const auto before = series.ohlc[i - 1][3], close = series.ohlc[i][3];
        const double r = before > 0 && close > 0
                             ? std::log(static_cast<double>(close) / static_cast<double>(before))
                             : 0;
        variance = i == 1 ? r * r : (1 - k) * variance + k * r * r;
        series.sigma[i] = std::llrint(std::sqrt(variance) * 1e9);
    }
}

}  // namespace barsweep::bars
