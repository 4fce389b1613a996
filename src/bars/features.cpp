#include "bars/features.hpp"

#include "bars/features_rows.hpp"

namespace barsweep::bars {

const std::array<const char*, feature_count> feature_names{
    "ret_1",           "ret_2",       "ret_3",        "ret_5",           "ret_10",
    "ret_15",          "ret_30",      "ret_60",       "ret_120",         "ret_240",
    "sd_10",           "sd_30",       "sd_60",        "sd_240",          "parkinson_30",
    "garman_klass_30", "range",       "body",         "upper_wick",      "lower_wick",
    "stoch_14",        "stoch_60",    "donchian_20",  "donchian_240",    "sma_10",
    "sma_20",          "sma_50",      "sma_100",      "sma_200",         "ema_12",
    "ema_26",          "macd",        "macd_signal",  "macd_hist",       "rsi_7",
    "rsi_14",          "rsi_28",      "atr_14",       "bb_percent_20",   "bb_width_20",
    "cci_20",          "volume_z_30", "volume_z_240", "volume_ratio_30", "obv_slope_30",
    "vwap_60",         "day_sin",     "day_cos",      "week_sin",        "week_cos",
    "gap_minutes"};

template <class Number>
std::vector<Number> feature_rows(const BarSeries& series)
{
    ReturnFeatures returns{series};
    RangeFeatures ranges{series};
    AverageFeatures averages{series};
    OscillatorFeatures oscillators{series};
    VolumeFeatures volume{series};
    ClockFeatures clock{series};
    std::vector<Number> rows(series.size() * feature_count);
    for (std::size_t t = 0; t < series.size(); ++t) {
        std::array<double, feature_count> row{};
        auto* out = row.data();
        const auto step = [&](auto& family) {
            family.step(t, out);
            out += family.columns;
        };
        step(returns);
        step(ranges);
        step(averages);
        step(oscillators);
        step(volume);
        step(clock);
        for (std::size_t i = 0; i < row.size(); ++i)
            rows[t * feature_count + i] = static_cast<Number>(row[i]);
    }
    return rows;
}

template std::vector<float> feature_rows(const BarSeries& series);
template std::vector<double> feature_rows(const BarSeries& series);

std::vector<float> compute_features(const BarSeries& series)
{
    return feature_rows<float>(series);
}

}  // namespace barsweep::bars
