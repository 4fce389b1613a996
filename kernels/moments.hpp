#pragma once
#include "portable.hpp"

namespace barsweep::kernels {

/// Central moments of a stretch of per-bar returns. A monoid under `merge`, empty = Moments{}.
struct Moments {
    i64 count = 0;
    double mean = 0;
    double m2 = 0;        ///< sum of (r - mean)^2
    double m3 = 0;        ///< sum of (r - mean)^3
    double m4 = 0;        ///< sum of (r - mean)^4
    double downside = 0;  ///< sum of min(r, 0)^2
};

/// Two adjacent stretches as one. P. Pebay, "Formulas for robust, one-pass parallel computation of
/// covariances and arbitrary-order statistical moments", SAND2008-6212, equations 1.1 to 1.6.
BARSWEEP_HD constexpr Moments merge(const Moments& a, const Moments& b)
{
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const double n_a = static_cast<double>(a.count);
    const double n_b = static_cast<double>(b.count);
    const double n = n_a + n_b;
    const double delta = b.mean - a.mean;
    const double step = delta / n;
    const double cross = n_a * n_b * delta * step;  // n_a n_b delta^2 / n

    Moments sum;
    sum.count = a.count + b.count;
    sum.mean = a.mean + n_b * step;
    sum.m2 = a.m2 + b.m2 + cross;
    sum.m3 = a.m3 + b.m3 + cross * step * (n_a - n_b) + 3 * step * (n_a * b.m2 - n_b * a.m2);
    sum.m4 = a.m4 + b.m4 + cross * step * step * (n_a * n_a - n_a * n_b + n_b * n_b) +
             6 * step * step * (n_a * n_a * b.m2 + n_b * n_b * a.m2) +
             4 * step * (n_a * b.m3 - n_b * a.m3);
    sum.downside = a.downside + b.downside;
    return sum;
}

/// Bars of a leaf: what is summed in one go, before pairs of stretches are merged.
inline constexpr int leaf_bars = 256;

/// Element j of the row is summed into accumulator j mod 8, the eight then in pairs: the one order
/// that vector units of 2, 4 or 8 doubles and a scalar loop can all keep.
struct Eight {
    double lane[8] = {};

    BARSWEEP_HD constexpr double total() const
    {
        return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
               ((lane[1] + lane[5]) + (lane[3] + lane[7]));
    }
};

/// Moments of returns[0..count), two passes; 1 <= count <= leaf_bars. `returns` has room for
/// leaf_bars: what follows `count` up to the next multiple of 8 is overwritten by what adds
/// nothing.
BARSWEEP_HD constexpr Moments leaf_moments(double* returns, int count)
{
    const int padded = (count + 7) / 8 * 8;
    for (int i = count; i < padded; ++i) returns[i] = 0;
    Eight sum, downside;
    for (int i = 0; i < padded; i += 8) {
        for (int j = 0; j < 8; ++j) {
            const double r = returns[i + j];
            const double low = r < 0 ? r : 0;
            sum.lane[j] += r;
            downside.lane[j] += low * low;
        }
    }

    const double mean = sum.total() / count;
    for (int i = count; i < padded; ++i) returns[i] = mean;
    Eight m2, m3, m4;
    for (int i = 0; i < padded; i += 8) {
        for (int j = 0; j < 8; ++j) {
            const double deviation = returns[i + j] - mean;
            const double square = deviation * deviation;
            m2.lane[j] += square;
            m3.lane[j] += square * deviation;
            m4.lane[j] += square * square;
        }
    }
    return {count, mean, m2.total(), m3.total(), m4.total(), downside.total()};
}

/// Merges leaves as they come into one fixed tree: leaf 0 with 1, 2 with 3, the pairs in pairs ...
/// (a binary counter), what is left over from the right. The tree depends on the count alone.
class MomentTree {
public:
    BARSWEEP_HD constexpr void push(Moments leaf)
    {
        int level = 0;
        for (; (leaves_ >> level) % 2 == 1; ++level) leaf = merge(full_[level], leaf);
        full_[level] = leaf;
        ++leaves_;
    }

    BARSWEEP_HD constexpr Moments total() const
    {
        Moments sum;
        for (int level = 0; leaves_ >> level != 0; ++level) {
            if ((leaves_ >> level) % 2 == 1) sum = merge(full_[level], sum);
        }
        return sum;
    }

private:
    Moments full_[40] = {};  ///< [level] a full subtree of 2^level leaves where bit `level` is set
    i64 leaves_ = 0;
};

}  // namespace barsweep::kernels
