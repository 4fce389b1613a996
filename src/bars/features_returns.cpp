#include "bars/features_rows.hpp"

namespace barsweep::bars {

void ReturnFeatures::step(std::size_t t, double* out)
{
    constexpr std::size_t spans[] = {1, 2, 3, 5, 10, 15, 30, 60, 120, 240};
    constexpr std::size_t windows[] = {10, 30, 60, 240};
    for (const auto span : spans) {
        if (t >= span) *out = log_ratio(ohlc_[t][3], ohlc_[t - span][3]);
        ++out;
    }
    returns_.push_back(t == 0 ? 0 : log_ratio(ohlc_[t][3], ohlc_[t - 1][3]));
    for (const auto window : windows) {
        if (t >= window) {
            const auto squares = window_moments(&returns_[t], window).squares;
            *out = std::sqrt(squares / static_cast<double>(window - 1));
        }
        ++out;
    }
}

}  // namespace barsweep::bars
