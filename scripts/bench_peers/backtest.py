"""`backtest.py FILE.csv`: moving-average rules over the bars of a file, in floats: strategy-bars a second on
one core of a loop compiled by numba, and of vectorbt."""
import sys

import numba
import numpy
import pandas

from best_of import best_of

FEE = 0.0005  # of the notional, a fill
PAIRS = [(fast, slow) for fast in (10, 20, 30, 40) for slow in (50, 100, 150, 200)]


@numba.njit(fastmath=False)
def rule(open_, close, fast, slow):
    """All of the equity long or short from the open after the averages' order changed; equity compounds
    from fill to fill. One pass: the averages' sums roll along, so do the sums of the bar returns. Total
    return, Sharpe of a bar and deepest drawdown."""
    fast_sum = slow_sum = 0.0
    cash = equity = peak = 1.0
    units = position = wanted = 0.0
    gains = squares = drawdown = 0.0
    for t in range(close.size):
        before = equity
        if wanted != position:
            value = cash + units * open_[t]
            value -= FEE * abs(wanted - position) * value
            units = wanted * value / open_[t]
            cash = value - units * open_[t]
            position = wanted
        equity = cash + units * close[t]

        peak = max(peak, equity)
        drawdown = max(drawdown, 1.0 - equity / peak)
        gain = equity / before - 1.0
        gains += gain
        squares += gain * gain

        fast_sum += close[t]
        slow_sum += close[t]
        if t >= fast:
            fast_sum -= close[t - fast]
        if t >= slow:
            slow_sum -= close[t - slow]
        if t >= slow - 1:
            difference = fast_sum / fast - slow_sum / slow
            if difference > 0:
                wanted = 1.0
            elif difference < 0:
                wanted = -1.0
    mean = gains / close.size
    deviation = numpy.sqrt((squares - gains * mean) / (close.size - 1))
    return equity - 1.0, mean / deviation if deviation > 0 else numpy.nan, drawdown


def by_numba(open_, close):
    return [rule(open_, close, fast, slow) for fast, slow in PAIRS]


def by_vectorbt(bars):
    import vectorbt

    for fast, slow in PAIRS[:2]:
        fast_line = vectorbt.MA.run(bars.close, fast)
        slow_line = vectorbt.MA.run(bars.close, slow)
        portfolio = vectorbt.Portfolio.from_signals(
            bars.close,
            entries=fast_line.ma_crossed_above(slow_line),
            short_entries=fast_line.ma_crossed_below(slow_line),
            fees=FEE,
            freq="1min",
        )
        portfolio.total_return(), portfolio.sharpe_ratio(), portfolio.max_drawdown()


bars = pandas.read_csv(sys.argv[1]).rename(columns=str.lower)
open_, close = bars.open.to_numpy(float), bars.close.to_numpy(float)

seconds = best_of(5, lambda: by_numba(open_, close))
print(f"backtest,numba {numba.__version__} loop,{len(PAIRS) * close.size / seconds:.0f},bars/s,floats; compounding; no barriers")

import vectorbt  # after the loop is measured: importing it takes some seconds

seconds = best_of(2, lambda: by_vectorbt(bars))
print(f"backtest,vectorbt {vectorbt.__version__},{2 * close.size / seconds:.0f},bars/s,floats; compounding; no barriers")
