#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace barsweep::bars {

__extension__ using Wide = __int128;                   ///< sums and products of ticks and volumes
__extension__ using WideUnsigned = unsigned __int128;  ///< the same where they may wrap around

inline double to_double(Wide value)
{
    return static_cast<double>(value);
}

inline double minus(std::int64_t a, std::int64_t b)
{
    return to_double(Wide{a} - b);
}

/// 0 for a zero denominator (SEMANTICS 9); a negative one keeps its sign.
inline double ratio(double a, double b)
{
    return b == 0 ? 0 : a / b;
}

/// log(a/b) of ticks; 0 where a side is not positive (SEMANTICS 9).
inline double log_ratio(std::int64_t a, std::int64_t b)
{
    return a > 0 && b > 0 ? std::log(static_cast<double>(a) / static_cast<double>(b)) : 0;
}

/// Sum over the `count` values that end at `last` of (x - shift) or of its square, in eight
/// interleaved parts: a fixed order that the processor adds side by side.
template <bool squared>
double window_sum(const double* last, std::size_t count, double shift)
{
    constexpr std::size_t parts = 8;
    const double* x = last + 1 - count;
    double part[parts] = {};
    std::size_t i = 0;
    for (; i + parts <= count; i += parts)
        for (std::size_t k = 0; k < parts; ++k) {
            const double d = x[i + k] - shift;
            part[k] += squared ? d * d : d;
        }
    for (std::size_t k = 0; i < count; ++i, ++k) {
        const double d = x[i] - shift;
        part[k] += squared ? d * d : d;
    }
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

struct Moments {
    double mean, squares;  ///< sum of squared deviations from the mean
};

/// By two passes: running sums lose the deviation of a quiet window (SEMANTICS 9, "Numerics").
inline Moments window_moments(const double* last, std::size_t count)
{
    const double mean = window_sum<false>(last, count, 0) / static_cast<double>(count);
    return {mean, window_sum<true>(last, count, mean)};
}

/// The greatest (`sign` 1) or least (-1) of the last `count` values, by a queue that holds only
/// values which may yet become it.
class MovingExtreme {
public:
    MovingExtreme(std::size_t count, int sign) : count_(count), greatest_(sign > 0) {}

    std::int64_t add(std::size_t row, std::int64_t value)
    {
        while (!queue_.empty() &&
               (greatest_ ? queue_.back().value <= value : queue_.back().value >= value))
            queue_.pop_back();
        queue_.push_back({row, value});
        if (queue_.front().row + count_ <= row) queue_.pop_front();
        return queue_.front().value;
    }

private:
    struct Entry {
        std::size_t row;
        std::int64_t value;
    };
    std::size_t count_;
    bool greatest_;
    std::deque<Entry> queue_;
};

/// Averages that start with the mean of the first `count` values and are 0 before that.
class SeededAverage {
public:
    /// `Ema`: weight 2/(n+1) for the new value. `Wilder`: 1/n (New Concepts in Technical Trading
    /// Systems, 1978). Both in TA-Lib's order of operations.
    enum class Kind { ema, wilder };

    SeededAverage(Kind kind, int count) : kind_(kind), count_(count) {}

    double add(double x)
    {
        if (seen_ < count_) {
            sum_ += x;
            if (++seen_ == count_) value_ = sum_ / count_;
        } else if (kind_ == Kind::ema) {
            value_ += (x - value_) * (2.0 / (count_ + 1));
        } else {
            value_ = (value_ * (count_ - 1) + x) / count_;
        }
        return value_;
    }
    bool ready() const noexcept { return seen_ == count_; }
    double value() const noexcept { return value_; }

private:
    Kind kind_;
    int count_, seen_ = 0;
    double sum_ = 0, value_ = 0;
};

}  // namespace barsweep::bars
