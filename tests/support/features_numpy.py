"""A plain second opinion on the 51 features: windows by numpy, one formula after the other, no running sums.

    features_numpy.py FOLDER VOLUME_DECIMALS

FOLDER/bars.bin: int64 [N, 6], time (ns), open, high, low, close (ticks), volume (units). FOLDER/features.bin: float64
[N, 51] to judge. Ends with 0 where |a - b| <= 1e-12 + 1e-9 |b| everywhere, b being this file's value, and TA-Lib's for
RSI, ATR, MACD, Bollinger and CCI; with 1 and the worst of each feature otherwise; with 77 where numpy or TA-Lib is missing.
"""
import math
import pathlib
import sys

NAMES = """ret_1 ret_2 ret_3 ret_5 ret_10 ret_15 ret_30 ret_60 ret_120 ret_240 sd_10 sd_30 sd_60 sd_240 parkinson_30
garman_klass_30 range body upper_wick lower_wick stoch_14 stoch_60 donchian_20 donchian_240 sma_10 sma_20 sma_50 sma_100
sma_200 ema_12 ema_26 macd macd_signal macd_hist rsi_7 rsi_14 rsi_28 atr_14 bb_percent_20 bb_width_20 cci_20 volume_z_30
volume_z_240 volume_ratio_30 obv_slope_30 vwap_60 day_sin day_cos week_sin week_cos gap_minutes""".split()
DAY = 86_400_000_000_000

try:
    import numpy as np
    import talib
    from numpy.lib.stride_tricks import sliding_window_view
except ImportError as missing:
    print(f"{sys.executable}: {missing}; scripts/setup installs it")
    sys.exit(77)


def ratio(a, b):
    a, b = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
    return np.divide(a, b, out=np.zeros(a.shape), where=b != 0)


def log_ratio(a, b):
    good = (a > 0) & (b > 0)
    return np.where(good, np.log(np.where(good, a, 1) / np.where(good, b, 1)), 0.0)


def windowed(function, n, *columns, first=None):
    """function(windows...) [rows, n] -> [rows], some rows at a time; 0 before row `first` (n - 1)."""
    first = n - 1 if first is None else first
    size = len(columns[0])
    out = np.zeros(size)
    for start in range(first, size, 20_000):
        stop = min(start + 20_000, size)
        out[start:stop] = function(*(sliding_window_view(c[start - n + 1:stop], n) for c in columns))
    return out


def seeded(values, n, first, weight):
    """Average whose value at row first + n - 1 is the mean of the n rows before it; NaN earlier."""
    out = np.full(len(values), np.nan)
    if first + n > len(values):
        return out
    at = math.fsum(values[first:first + n]) / n
    out[first + n - 1] = at
    for t in range(first + n, len(values)):
        at += weight * (values[t] - at)
        out[t] = at
    return out


def ema(values, n, first=0):
    return seeded(values, n, first, 2 / (n + 1))


def channel(close, high, low, n):
    def place(c, h, l):
        top, bottom = h.max(axis=1), l.min(axis=1)
        return 2 * ratio(c[:, -1] - bottom, top - bottom) - (top != bottom)
    return windowed(place, n, close, high, low)


def rsi(change, n):
    up = seeded(np.maximum(change, 0), n, 1, 1 / n)
    down = seeded(np.maximum(-change, 0), n, 1, 1 / n)
    total = up + down
    return np.where(total >= 1e-200, 2 * up / np.where(total >= 1e-200, total, 1) - 1, 0.0)


def bands(close):
    def percent(c):
        deviation, middle, flat = c.std(axis=1), c.mean(axis=1), c.max(axis=1) == c.min(axis=1)
        return np.where(flat, 0, ratio(c[:, -1] - (middle - 2 * deviation), 4 * deviation))

    def width(c):
        return np.where(c.max(axis=1) == c.min(axis=1), 0, ratio(4 * c.std(axis=1), c.mean(axis=1)))
    return windowed(percent, 20, close), windowed(width, 20, close)


def cci(typical3):
    def one(t3):
        off = 20 * t3 - t3.sum(axis=1, keepdims=True)  # times 60: whole, as the scale falls out
        flat = t3.max(axis=1) == t3.min(axis=1)
        return np.where(flat, 0, ratio(off[:, -1], 0.015 * np.abs(off).mean(axis=1)))
    return windowed(one, 20, typical3) / 100


def volume_family(open_, high, low, close, volume, decimals):
    v = volume / 10.0 ** decimals
    x = np.log1p(v)

    def z(w, units):
        flat = units.max(axis=1) == units.min(axis=1)
        return np.where(flat, 0, ratio(w[:, -1] - w.mean(axis=1), w.std(axis=1)))
    yield windowed(z, 30, x, volume)
    yield windowed(z, 240, x, volume)
    yield windowed(lambda w: np.where(w.max(axis=1) == 0, 0, np.log((1 + w[:, -1]) / (1 + w).mean(axis=1))), 30, v)
    signed = np.sign(np.diff(close, prepend=close[0])).astype(np.int64) * volume
    balance = np.cumsum(signed)

    def slope(o, w):
        at = np.arange(30) - 14.5
        exact = (o - o[:, :1]).astype(float)
        return ratio(exact @ at / (at @ at), w.astype(float).mean(axis=1))
    yield windowed(slope, 30, balance, volume)

    def against_vwap(c, t3, w):
        price = ratio((t3 / 3 * w).sum(axis=1), w.sum(axis=1))
        return np.where(price == 0, 0, ratio(c[:, -1], price) - 1)
    yield windowed(against_vwap, 60, close.astype(float), (high + low + close).astype(float), v)


def features(time, open_, high, low, close, volume, decimals):
    n, c = len(close), close.astype(float)
    spread, move = log_ratio(high, low), log_ratio(close, open_)
    change = np.diff(c, prepend=c[0])
    one = np.concatenate([[0.0], log_ratio(close[1:], close[:-1])])
    columns = []
    for k in (1, 2, 3, 5, 10, 15, 30, 60, 120, 240):
        columns.append(np.concatenate([np.zeros(min(k, n)), log_ratio(close[k:], close[:-k])]))
    for k in (10, 30, 60, 240):
        columns.append(windowed(lambda w: w.std(axis=1, ddof=1), k, one, first=k))
    columns.append(windowed(lambda w: np.sqrt((w ** 2).mean(axis=1) / (4 * math.log(2))), 30, spread))
    columns.append(windowed(lambda h, m: np.sqrt(np.maximum(
        0, (h ** 2 / 2 - (2 * math.log(2) - 1) * m ** 2).mean(axis=1))), 30, spread, move))
    columns += [ratio(high - low, close), ratio(close - open_, open_), ratio(high - np.maximum(open_, close), close),
                ratio(np.minimum(open_, close) - low, close)]
    columns += [channel(close, high, low, k) for k in (14, 60, 20, 240)]
    for k in (10, 20, 50, 100, 200):
        columns.append(windowed(lambda w: np.where(w.sum(axis=1) == 0, 0, ratio(w[:, -1], w.mean(axis=1)) - 1), k, c))
    for k in (12, 26):
        average = ema(c, k)
        columns.append(np.where(average == 0, 0, ratio(c, average) - 1))
    line = ema(c, 12, 14) - ema(c, 26)
    signal = np.concatenate([np.full(min(25, n), np.nan), ema(line[25:], 9)])
    columns += [ratio(np.where(np.isnan(signal), np.nan, line), c), ratio(signal, c), ratio(line - signal, c)]
    columns += [rsi(change, k) for k in (7, 14, 28)]
    before = np.concatenate([close[:1], close[:-1]])
    true_range = np.max([high - low, np.abs(high - before), np.abs(low - before)], axis=0).astype(float)
    columns.append(ratio(seeded(true_range, 14, 1, 1 / 14), c))
    columns += bands(c)
    columns.append(cci((high + low + close).astype(float)))
    columns += volume_family(open_, high, low, close, volume, decimals)
    for turn in (time % DAY / DAY, (time + 3 * DAY) % (7 * DAY) / (7 * DAY)):
        columns += [np.sin(2 * math.pi * turn), np.cos(2 * math.pi * turn)]
    columns.append(np.log1p(np.diff(time, prepend=time[0]) / 60e9))
    return np.nan_to_num(np.stack(columns, axis=1), nan=0.0)


def talib_features(high, low, close):
    """Where TA-Lib has a value, and what its rounding may add to the tolerance; NaN on its warm-up rows, for a close of 0
    (ours is 0) and for an RSI of 0, which may mean a flat start (ours is 0) or a steady fall (ours is -1)."""
    h, l, c = (x.astype(float) for x in (high, low, close))
    line, signal, histogram = talib.MACD(c)
    upper, middle, lower = talib.BBANDS(c, timeperiod=20)
    over = np.where(close == 0, np.nan, c)
    found = {"macd": line / over, "macd_signal": signal / over, "macd_hist": histogram / over,
             "atr_14": talib.ATR(h, l, c) / over, "cci_20": talib.CCI(h, l, c, timeperiod=20) / 100,
             "bb_percent_20": ratio(c - lower, upper - lower), "bb_width_20": ratio(upper - lower, middle)}
    for n in (7, 14, 28):
        value = talib.RSI(c, timeperiod=n)
        found[f"rsi_{n}"] = np.where(value == 0, np.nan, value / 50 - 1)
    # Its bands are rounded where the price is: a last digit each, seen against the distance between them.
    slack = {"bb_percent_20": ratio(2 * np.spacing(np.abs(upper)), upper - lower)}
    return {name: (values, slack.get(name, 0)) for name, values in found.items()}


def worst(judged, by, name, who, slack=0.0):
    """The excess over the tolerance where it is greatest, said; True where there is none."""
    error = np.abs(judged - by) - (1e-12 + 1e-9 * np.abs(by) + slack)
    at = int(np.nanargmax(error)) if np.isfinite(error).any() else 0
    if not np.isfinite(judged).all():
        at, error = int(np.flatnonzero(~np.isfinite(judged))[0]), np.full(len(judged), np.inf)
    if not error[at] > 0:
        return True
    print(f"{name}, row {at}: {judged[at]!r}, but {by[at]!r} by {who}")
    return False


def main(folder, decimals):
    bars = np.fromfile(pathlib.Path(folder) / "bars.bin", "<i8").reshape(-1, 6)
    judged = np.fromfile(pathlib.Path(folder) / "features.bin", "<f8").reshape(-1, len(NAMES))
    if len(bars) != len(judged) or len(bars) <= 240:
        print(f"expected features of more than 240 bars, found {len(judged)} rows for {len(bars)} bars")
        return 1
    time, open_, high, low, close, volume = (np.ascontiguousarray(bars[:, i]) for i in range(6))
    own = features(time, open_, high, low, close, volume, decimals)
    good = [worst(judged[:, i], own[:, i], name, "numpy") for i, name in enumerate(NAMES)]
    for name, (values, slack) in talib_features(high, low, close).items():
        good.append(worst(judged[:, NAMES.index(name)], values, name, "TA-Lib", slack))
        if not np.isfinite(values[240:]).any():
            print(f"{name}: TA-Lib gave no value to compare with")
            good.append(False)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
