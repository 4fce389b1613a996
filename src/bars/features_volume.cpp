#include "bars/features_rows.hpp"

namespace barsweep::bars {
namespace {

constexpr int window = 30;        // of the ratio and the slope
constexpr int price_window = 60;  // of the volume-weighted price

Wide power_of_ten(int exponent)
{
    return exponent == 0 ? 1 : 10 * power_of_ten(exponent - 1);
}

/// Three times the typical price, times the volume. Modulo 2^128: exact while the sum over a
/// window, and its volume at another price of it, stay below 2^127.
WideUnsigned traded(const BarSeries& series, std::size_t t)
{
    const auto& [open, high, low, close] = series.ohlc[t];
    return static_cast<WideUnsigned>((Wide{high} + low + close)) *
           static_cast<WideUnsigned>(series.volume[t]);
}

double z_score(const std::vector<double>& values, std::size_t count)
{
    const auto [mean, squares] = window_moments(&values.back(), count);
    return ratio(values.back() - mean, std::sqrt(squares / static_cast<double>(count)));
}

}  // namespace

VolumeFeatures::VolumeFeatures(const BarSeries& series)
    : series_(series), unit_(power_of_ten(series.volume_decimals))
{
}

void VolumeFeatures::step(std::size_t t, double* out)
{
    const auto& volume = series_.volume;
    const auto& bars = series_.ohlc;
    logs_.push_back(std::log1p(static_cast<double>(volume[t]) / to_double(unit_)));
    equal_rows_ = t > 0 && volume[t] == volume[t - 1] ? equal_rows_ + 1 : 1;
    const bool up = t > 0 && bars[t][3] > bars[t - 1][3];
    const bool down = t > 0 && bars[t][3] < bars[t - 1][3];
    on_balance_.push_back((t > 0 ? on_balance_.back() : 0) + (up ? volume[t] : 0) -
                          (down ? volume[t] : 0));
    volume30_ += volume[t] - (t >= window ? Wide{volume[t - window]} : 0);
    volume60_ += volume[t] - (t >= price_window ? Wide{volume[t - price_window]} : 0);
    traded60_ += traded(series_, t) - (t >= price_window ? traded(series_, t - price_window) : 0);

    // Flat is decided on whole units: equal volumes have no deviation, whatever their logs add to.
    constexpr std::size_t spans[] = {30, 240};
    for (std::size_t i = 0; i < std::size(spans); ++i)
        if (t + 1 >= spans[i] && equal_rows_ < spans[i]) out[i] = z_score(logs_, spans[i]);
    if (t + 1 >= window && volume30_ > 0) {
        out[2] = std::log(to_double((unit_ + volume[t]) * window) /
                          to_double(unit_ * window + volume30_));
        out[3] = obv_slope(t);
    }
    if (t + 1 < price_window || volume60_ == 0) return;
    const auto at_close =
        static_cast<WideUnsigned>(3 * volume60_) * static_cast<WideUnsigned>(Wide{bars[t][3]});
    out[4] = ratio(to_double(static_cast<Wide>(at_close - traded60_)),
                   to_double(static_cast<Wide>(traded60_)));
}

/// Least squares over x = 0..n-1: sum((x - mean) y) / sum((x - mean)^2), here with 2x - (n-1) for
/// 2 (x - mean); per bar, over the window's mean volume.
double VolumeFeatures::obv_slope(std::size_t t) const
{
    Wide sum = 0;
    for (int x = 0; x < window; ++x)
        sum += on_balance_[t + 1 - window + static_cast<std::size_t>(x)] * (2 * x - (window - 1));
    constexpr double squares = window * (window * window - 1) / 12.0;
    return to_double(sum) / (2 * squares) * window / to_double(volume30_);
}

}  // namespace barsweep::bars
