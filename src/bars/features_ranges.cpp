#include <algorithm>
#include <numbers>

#include "bars/features_rows.hpp"

namespace barsweep::bars {

void RangeFeatures::step(std::size_t t, double* out)
{
    using std::numbers::ln2;
    constexpr std::size_t window = 30;
    const auto [open, high, low, close] = ohlc_[t];

    // Parkinson, Journal of Business 53 (1980), eq. 4; Garman and Klass, the same volume, eq. 20.
    const double range = log_ratio(high, low), move = log_ratio(close, open);
    parkinson_.push_back(range * range / (4 * ln2));
    garman_klass_.push_back(range * range / 2 - (2 * ln2 - 1) * move * move);
    if (t + 1 >= window) {
        const auto mean = [&](const std::vector<double>& terms) {
            return window_sum<false>(&terms[t], window, 0) / static_cast<double>(window);
        };
        out[0] = std::sqrt(mean(parkinson_));
        out[1] = std::sqrt(std::max(0.0, mean(garman_klass_)));
    }

    const auto price = static_cast<double>(close);
    out[2] = ratio(minus(high, low), price);
    out[3] = ratio(minus(close, open), static_cast<double>(open));
    out[4] = ratio(minus(high, std::max(open, close)), price);
    out[5] = ratio(minus(std::min(open, close), low), price);

    out += 6;
    for (auto& channel : channels_) {
        const auto top = channel.high.add(t, high), bottom = channel.low.add(t, low);
        if (t + 1 >= channel.rows && top > bottom)
            *out = 2 * minus(close, bottom) / minus(top, bottom) - 1;
        ++out;
    }
}

}  // namespace barsweep::bars
