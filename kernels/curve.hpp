#pragma once
#include "moments.hpp"
#include "money.hpp"

namespace barsweep::kernels {

/// A fall from a peak of equity.
struct Drawdown {
    i64 peak = 0;       ///< tick*lot
    i64 trough = 0;     ///< tick*lot, the lowest close since; equal to the peak: none
    i64 peak_bar = 0;   ///< row of the (last) close at the peak
    i64 bars = 0;       ///< from there to the close that regained it, or to the last one
    bool open = false;  ///< not regained

    BARSWEEP_HD constexpr double depth() const
    {
        return trough < peak ? ratio(i128{peak} - trough, peak) : 0;
    }
};

/// Takes one account's equity close by close; keeps moments of its returns and its deepest
/// drawdown. A return is (E' - E) / E in double, 0 once equity is not positive (ruin: all is flat).
class Curve {
public:
    /// `initial` money counts as the close of row `bar` and as a peak. `out`, where given, gets
    /// every equity pushed.
    BARSWEEP_HD constexpr Curve(i64 initial, i64 bar, i64* out = nullptr)
        : bar_{bar}, out_{out}, current_{initial, initial, bar, 0, false}
    {
        equity_[0] = initial;
    }

    /// Equities that may be written to `next()` before `take`.
    BARSWEEP_HD constexpr int room() const { return leaf_bars - count_; }
    BARSWEEP_HD constexpr i64* next() { return equity_ + 1 + count_; }

    /// Takes `count` <= room() equities that stand at `next()`.
    BARSWEEP_HD constexpr void take(int count)
    {
        count_ += count;
        if (count_ == leaf_bars) end_leaf();
    }

    BARSWEEP_HD constexpr void push(i64 equity)
    {
        *next() = equity;
        take(1);
    }

    /// Ends the series; nothing may be pushed after it.
    BARSWEEP_HD constexpr void finish()
    {
        if (count_ > 0) end_leaf();
        if (current_.trough == current_.peak) return;
        current_.open = true;
        keep_deeper();
    }

    BARSWEEP_HD constexpr i64 last() const { return equity_[count_]; }
    BARSWEEP_HD constexpr const Drawdown& deepest() const { return deepest_; }
    BARSWEEP_HD constexpr Moments returns() const { return tree_.total(); }

private:
    BARSWEEP_HD constexpr void end_leaf()
    {
        double returns[leaf_bars];
        for (int i = 0; i < count_; ++i) {
            const double before = static_cast<double>(equity_[i]);
            const double change = static_cast<double>(equity_[i + 1]) - before;
            returns[i] = change / before;
        }
        if (equity_[0] <= 0 || equity_[count_] <= 0) clear_after_ruin(returns);
        tree_.push(leaf_moments(returns, count_));
        walk_drawdown();
        if (out_ != nullptr) {
            for (int i = 0; i < count_; ++i) *out_++ = equity_[i + 1];
        }
        bar_ += count_;
        equity_[0] = equity_[count_];
        count_ = 0;
    }

    /// Ruin is the only way to an equity that is not positive, and it stays there.
    BARSWEEP_HD constexpr void clear_after_ruin(double* returns) const
    {
        for (int i = 0; i < count_; ++i) {
            if (equity_[i] <= 0) returns[i] = 0;
        }
    }

    BARSWEEP_HD constexpr void walk_drawdown()
    {
        i64 lowest = equity_[1];
        i64 highest = equity_[1];
        for (int i = 1; i <= count_; ++i) {
            lowest = equity_[i] < lowest ? equity_[i] : lowest;
            highest = equity_[i] > highest ? equity_[i] : highest;
        }
        if (highest < current_.peak) {  // the whole leaf lies under water
            if (lowest < current_.trough) current_.trough = lowest;
            current_.bars = bar_ + count_ - current_.peak_bar;
            return;
        }
        for (int i = 1; i <= count_; ++i) walk_close(equity_[i], bar_ + i);
    }

    BARSWEEP_HD constexpr void walk_close(i64 equity, i64 bar)
    {
        current_.bars = bar - current_.peak_bar;
        if (equity >= current_.peak) {
            if (current_.trough < current_.peak) keep_deeper();
            current_ = {equity, equity, bar, 0, false};
        } else if (equity < current_.trough) {
            current_.trough = equity;
        }
    }

    /// Of equally deep ones the first is kept.
    BARSWEEP_HD constexpr void keep_deeper()
    {
        if (current_.depth() > deepest_.depth()) deepest_ = current_;
    }

    i64 equity_[leaf_bars + 1];  ///< [0] the close before this leaf
    int count_ = 0;
    i64 bar_;  ///< row of equity_[0]
    i64* out_;
    Drawdown current_;
    Drawdown deepest_ = current_;
    MomentTree tree_;
};

}  // namespace barsweep::kernels
