#include "bars/features_rows.hpp"

namespace barsweep::bars {

void AverageFeatures::step(std::size_t t, double* out)
{
    constexpr std::array<int, 5> windows{10, 20, 50, 100, 200};
    const auto close = ohlc_[t][3];
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const auto rows = static_cast<std::size_t>(windows[i]);
        sums_[i] += close;
        if (t >= rows) sums_[i] -= ohlc_[t - rows][3];
        // close / mean - 1, from the exact difference
        if (t + 1 >= rows)
            out[i] = ratio(to_double(Wide{close} * windows[i] - sums_[i]), to_double(sums_[i]));
    }

    const auto price = static_cast<double>(close);
    const auto against = [&](SeededAverage& average) {
        average.add(price);
        return ratio(price - average.value(), average.value());
    };
    out[5] = against(ema12_);
    out[6] = against(ema26_);
    macd(t, price, out + 7);
}

/// As TA-Lib: both averages are first there on the same row, so the fast one starts later.
void AverageFeatures::macd(std::size_t t, double close, double* out)
{
    constexpr std::size_t fast_from = 26 - 12;
    if (t >= fast_from) fast_.add(close);
    if (!fast_.ready()) return;
    const double line = fast_.value() - ema26_.value();
    signal_.add(line);
    if (!signal_.ready()) return;
    out[0] = ratio(line, close);
    out[1] = ratio(signal_.value(), close);
    out[2] = ratio(line - signal_.value(), close);
}

}  // namespace barsweep::bars
