#pragma once
#include <array>
#include <vector>

#include "bars/bar_series.hpp"
#include "bars/features_math.hpp"

namespace barsweep::bars {

/// The features as stored (float), or before that rounding (double: what tests hold against a
/// second opinion). [N, feature_count]
template <class Number>
std::vector<Number> feature_rows(const BarSeries& series);

// Families of neighbouring columns, in the order of SEMANTICS 3. Each is stepped once through the
// rows of the series it was made with, from row 0 on, and reads rows up to that one only. `out`
// is the family's first column of the row and comes zeroed: what isn't defined yet stays 0.

/// Log returns and their deviations.
class ReturnFeatures {
public:
    static constexpr std::size_t columns = 14;
    explicit ReturnFeatures(const BarSeries& series) : ohlc_(series.ohlc) {}
    void step(std::size_t t, double* out);

private:
    const std::vector<std::array<std::int64_t, 4>>& ohlc_;
    std::vector<double> returns_;  ///< of one bar; row 0 is none and counts as 0
};

/// Range volatilities, the shape of the bar, the close in its channels.
class RangeFeatures {
public:
    static constexpr std::size_t columns = 10;
    explicit RangeFeatures(const BarSeries& series) : ohlc_(series.ohlc) {}
    void step(std::size_t t, double* out);

private:
    struct Channel {
        explicit Channel(std::size_t count) : rows(count), high(count, 1), low(count, -1) {}
        std::size_t rows;
        MovingExtreme high, low;
    };
    const std::vector<std::array<std::int64_t, 4>>& ohlc_;
    std::vector<double> parkinson_, garman_klass_;  ///< one bar's term
    std::array<Channel, 4> channels_{Channel{14}, Channel{60}, Channel{20}, Channel{240}};
};

/// The close against its averages; MACD.
class AverageFeatures {
public:
    static constexpr std::size_t columns = 10;
    explicit AverageFeatures(const BarSeries& series) : ohlc_(series.ohlc) {}
    void step(std::size_t t, double* out);

private:
    void macd(std::size_t t, double close, double* out);

    const std::vector<std::array<std::int64_t, 4>>& ohlc_;
    std::array<Wide, 5> sums_{};
    SeededAverage ema12_{SeededAverage::Kind::ema, 12}, ema26_{SeededAverage::Kind::ema, 26};
    SeededAverage fast_{SeededAverage::Kind::ema, 12}, signal_{SeededAverage::Kind::ema, 9};
};

/// RSI, ATR, Bollinger bands, CCI, as TA-Lib has them but where SEMANTICS 9 says otherwise.
class OscillatorFeatures {
public:
    static constexpr std::size_t columns = 7;
    explicit OscillatorFeatures(const BarSeries& series) : ohlc_(series.ohlc) {}
    void step(std::size_t t, double* out);

private:
    struct Rsi {
        explicit Rsi(int count)
            : gain(SeededAverage::Kind::wilder, count), loss(SeededAverage::Kind::wilder, count)
        {
        }
        SeededAverage gain, loss;
    };
    void rsi(std::size_t t, double* out);
    void atr(std::size_t t, double* out);
    void bollinger(std::size_t t, double* out);
    void cci(std::size_t t, double* out);

    const std::vector<std::array<std::int64_t, 4>>& ohlc_;
    std::array<Rsi, 3> rsi_{Rsi{7}, Rsi{14}, Rsi{28}};
    SeededAverage true_range_{SeededAverage::Kind::wilder, 14};
    Wide closes_ = 0;           ///< of the Bollinger window
    WideUnsigned squares_ = 0;  ///< of its closes, modulo 2^128
    Wide typicals_ = 0;         ///< of the CCI window: sums of high + low + close
};

/// Volume against its own past, on-balance volume, the volume-weighted price.
class VolumeFeatures {
public:
    static constexpr std::size_t columns = 5;
    explicit VolumeFeatures(const BarSeries& series);
    void step(std::size_t t, double* out);

private:
    double obv_slope(std::size_t t) const;

    const BarSeries& series_;
    Wide unit_;                     ///< volume units of one base unit
    std::vector<double> logs_;      ///< log(1 + base units)
    std::vector<Wide> on_balance_;  ///< up to each row
    std::size_t equal_rows_ = 0;    ///< the last ones with the same volume
    Wide volume30_ = 0, volume60_ = 0;
    WideUnsigned traded60_ = 0;  ///< (high + low + close) * volume, modulo 2^128
};

/// Time of the day and of the week, the step from the bar before.
class ClockFeatures {
public:
    static constexpr std::size_t columns = 5;
    explicit ClockFeatures(const BarSeries& series) : time_(series.time) {}
    void step(std::size_t t, double* out);

private:
    const std::vector<Nanoseconds>& time_;
};

}  // namespace barsweep::bars
