#include <algorithm>

#include "bars/features_rows.hpp"

namespace barsweep::bars {
namespace {

constexpr int window = 20;  // of Bollinger bands and CCI

Wide typical(const std::array<std::int64_t, 4>& bar)  // three times the typical price
{
    return Wide{bar[1]} + bar[2] + bar[3];
}

}  // namespace

void OscillatorFeatures::step(std::size_t t, double* out)
{
    if (t > 0) {
        rsi(t, out);
        atr(t, out + 3);
    }
    bollinger(t, out + 4);
    cci(t, out + 6);
}

void OscillatorFeatures::rsi(std::size_t t, double* out)
{
    constexpr double nothing = 1e-200;  // ticks
    const double change = minus(ohlc_[t][3], ohlc_[t - 1][3]);
    for (auto& [gain, loss] : rsi_) {
        const double up = gain.add(std::max(change, 0.0)), down = loss.add(std::max(-change, 0.0));
        // RSI/50 - 1 with RSI = 100 up / (up + down)
        if (up + down >= nothing) *out = (up - down) / (up + down);
        ++out;
    }
}

void OscillatorFeatures::atr(std::size_t t, double* out)
{
    const auto [open, high, low, close] = ohlc_[t];
    const auto before = ohlc_[t - 1][3];
    true_range_.add(minus(std::max(high, before), std::min(low, before)));
    *out = ratio(true_range_.value(), static_cast<double>(close));
}

/// Bands at two population deviations. n^2 times the variance is a whole number: exact, and 0
/// just where the closes are equal. Wrapped-around squares cancel while the closes of a window
/// lie within 2^63 / 10 ticks.
void OscillatorFeatures::bollinger(std::size_t t, double* out)
{
    const auto square = [](std::int64_t close) {
        return static_cast<WideUnsigned>(close) * static_cast<WideUnsigned>(close);
    };
    const auto close = ohlc_[t][3];
    closes_ += close;
    squares_ += square(close);
    if (t >= window) {
        closes_ -= ohlc_[t - window][3];
        squares_ -= square(ohlc_[t - window][3]);
    }
    if (t + 1 < window) return;
    const auto total = static_cast<WideUnsigned>(closes_);
    const auto variance = window * squares_ - total * total;
    if (variance == 0) return;
    const double deviation = std::sqrt(static_cast<double>(variance));  // times n, as the rest
    out[0] = 0.5 + to_double(Wide{close} * window - closes_) / (4 * deviation);
    out[1] = ratio(4 * deviation, to_double(closes_));
}

/// Lambert, Commodities (October 1980): (price - mean) / (0.015 mean deviation). Deviations from
/// the mean are whole numbers times 1/n: exact, and 0 just where the typical prices are equal.
void OscillatorFeatures::cci(std::size_t t, double* out)
{
    typicals_ += typical(ohlc_[t]);
    if (t >= window) typicals_ -= typical(ohlc_[t - window]);
    if (t + 1 < window) return;
    Wide deviations = 0;
    for (auto i = t + 1 - window; i <= t; ++i) {
        const auto deviation = typical(ohlc_[i]) * window - typicals_;
        deviations += deviation < 0 ? -deviation : deviation;
    }
    const auto now = typical(ohlc_[t]) * window - typicals_;
    *out = ratio(to_double(now) * window, 0.015 * to_double(deviations)) / 100;
}

}  // namespace barsweep::bars
