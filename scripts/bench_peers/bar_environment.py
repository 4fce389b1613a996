"""A market as a Gymnasium environment, for peers that learn: what an agent of ours sees and does, in floats."""
import gymnasium
import h5py
import numpy

LEVELS = (-1.0, -0.5, 0.0, 0.5, 1.0)  # exposures, shares of equity
FEE = 0.0001  # of the notional, a fill
EPISODE = 2048  # decisions
WARMUP = 240  # rows whose features aren't whole yet


class BarEnvironment(gymnasium.Env):
    """Decided at a close, filled at the next open, marked at the next close. Observation: the bar's features,
    normalised; exposure, open profit over equity, age of the position over an hour of bars. Reward: the bar's
    return over the deviation of one-bar returns."""

    def __init__(self, store):
        with h5py.File(store) as file:
            group = next(iter(file.values()))
            features, ohlc = group["features"][:], group["ohlc"][:].astype(float)
        seen = features[WARMUP:].astype(float)
        scaled = (features - seen.mean(0)) / numpy.where(seen.std(0) < 1e-12, 1, seen.std(0))
        self.features = numpy.clip(scaled, -10, 10).astype(numpy.float32)
        self.open, self.close = ohlc[:, 0].tolist(), ohlc[:, 3].tolist()  # a list's floats are quicker to get at
        self.reward_scale = 1 / numpy.diff(numpy.log(ohlc[WARMUP:, 3])).std()
        self.action_space = gymnasium.spaces.Discrete(len(LEVELS))
        self.observation_space = gymnasium.spaces.Box(-numpy.inf, numpy.inf, (features.shape[1] + 3,), numpy.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.row = int(self.np_random.integers(WARMUP, len(self.close) - EPISODE))
        self.last = self.row + EPISODE
        self.cash = self.equity = 1.0
        self.units = self.level = self.entry = 0.0
        self.age = 0
        return self.observe(), {}

    def step(self, action):
        self.row += 1
        before, level = self.equity, LEVELS[action]
        if level != self.level:
            self.trade(level, self.open[self.row])
        self.age += 1
        self.equity = self.cash + self.units * self.close[self.row]
        reward = (self.equity / before - 1) * self.reward_scale
        ruined = self.equity <= 0.2
        return self.observe(), reward, ruined, not ruined and self.row == self.last, {}

    def trade(self, level, price):
        value = self.cash + self.units * price
        units = level * value / price
        self.cash -= (units - self.units) * price + FEE * abs(units - self.units) * price
        self.units, self.level, self.entry, self.age = units, level, price, 0

    def observe(self):
        price, seen = self.close[self.row], numpy.empty(self.observation_space.shape, numpy.float32)
        seen[:-3] = self.features[self.row]
        seen[-3:] = (self.units * price / self.equity, self.units * (price - self.entry) / self.equity, self.age / 60)
        return seen
