#include "bars/synthetic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/decimal.hpp"
#include "base/random.hpp"

namespace barsweep::bars {
namespace {

constexpr Nanoseconds minute = 60'000'000'000;
constexpr Nanoseconds first_time = 1'577'836'800'000'000'000;  ///< 2020-01-01T00:00:00Z
constexpr int steps = 4;                                       ///< of the price inside a bar

/// Near normal, mean 0, variance 1: the sum of twelve uniforms (Irwin-Hall) less 6. No logarithm,
/// so no library's last bit shows in the bars.
double near_normal(RandomStream& random)
{
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random.uniform();
    return sum;
}

/// The price in motion, a step of a quarter bar at a time.
struct Path {
    const SyntheticOptions& options;
    RandomStream random;
    double price = options.start;
    std::int64_t step = 0;

    double next()
    {
        ++step;
        const double noise = options.volatility / std::sqrt(double{steps}) * near_normal(random);
        switch (options.kind) {
            case SyntheticKind::walk:
                price += price * noise;
                break;
            case SyntheticKind::trend:
                price += price * (options.drift / steps + noise);
                break;
            case SyntheticKind::sine: {
                const auto bars = static_cast<double>(step) / steps;
                const double phase = bars / static_cast<double>(options.period);
                const double wave = std::sin(2 * std::numbers::pi * (phase - std::floor(phase)));
                price = options.start * (1 + options.amplitude * wave + noise);
                break;
            }
            case SyntheticKind::ou:
                price +=
                    options.reversion / steps * (options.start - price) + options.start * noise;
                break;
        }
        return price;
    }
};

}  // namespace

BarSeries synthesize(const SyntheticOptions& options)
{
    BarSeries series;
    series.symbol = "synthetic";
    series.price_decimals = options.decimals;
    series.interval = minute;
    const double scale = std::pow(10.0, options.decimals);
    const auto ticks = [&](double price) {
        return std::max<std::int64_t>(1, std::llrint(std::clamp(price * scale, 0.0, 9e18)));
    };

    Path path{options, {options.seed, Purpose::synthetic_bars}};
    auto last = ticks(path.price);
    for (std::int64_t i = 0; i < options.bars; ++i) {
        std::array<std::int64_t, 4> bar{last, last, last, last};
        for (int k = 0; k < steps; ++k) {
            last = ticks(path.next());
            bar[1] = std::max(bar[1], last);
            bar[2] = std::min(bar[2], last);
        }
        bar[3] = last;
        series.time.push_back(first_time + i * minute);
        series.ohlc.push_back(bar);
        series.volume.push_back(static_cast<std::int64_t>(1 + path.random.below(1000)));
    }
    compute_sigma(series);
    return series;
}

}  // namespace barsweep::bars
