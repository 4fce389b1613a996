#include "causal_optimum.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace barsweep::sim {
namespace {

using kernels::i64;

constexpr i64 half = 240;           ///< points on either side of the centre
constexpr double widths = 6;        ///< of the grid's half, in deviations of the process
constexpr int quarters = 4;         ///< steps of the price inside a bar
constexpr double precision = 1e-9;  ///< of a bar's mean gain

double normal_below(double z)
{
    return std::erfc(-z / std::sqrt(2.0)) / 2;
}

double lots_of(const kernels::Rules& rules, i64 level)
{
    return static_cast<double>(level * rules.unit_lots / kernels::million);
}

/// tick*lot: from one level to another at a price in ticks.
double cost_of(const kernels::Rules& rules, double lots, double price)
{
    const double spread = static_cast<double>(rules.half_spread_nanoticks) / 1e9;
    return std::abs(lots) * (spread + static_cast<double>(rules.rate_ppb) / 1e9 * price);
}

/// Chances of the next point by this one, those within `reach` points of where it is drawn to.
struct Chances {
    i64 first = 0;
    std::vector<double> of;
};

Chances chances_from(double distance, double memory, double deviation, double step)
{
    const double drawn = memory * distance;
    const auto at = [&](double z) {
        return std::clamp<i64>(std::llround((drawn + z * deviation) / step), -half, half);
    };
    Chances chances{at(-widths) + half, {}};
    const i64 last = at(widths) + half;
    for (i64 k = chances.first; k <= last; ++k) {
        const double below = (static_cast<double>(k - half) - 0.5) * step - drawn;
        const double low = k == chances.first ? 0 : normal_below(below / deviation);
        const double high = k == last ? 1 : normal_below((below + step) / deviation);
        chances.of.push_back(high - low);
    }
    return chances;
}

void check(const bars::SyntheticOptions& ou, const kernels::Rules& rules)
{
    const auto levels = rules.levels_ppm;
    const bool flat = std::find(levels, levels + rules.level_count, 0) < levels + rules.level_count;
    if (ou.kind != bars::SyntheticKind::ou || rules.unit_lots <= 0 || !flat ||
        rules.barrier == kernels::Barrier::exit || rules.carry_long_ppb != 0 ||
        rules.carry_short_ppb != 0)
        throw std::logic_error("causal_optimum: not a process or rules it is for");
}

}  // namespace

CausalPolicy causal_optimum(const bars::SyntheticOptions& ou, const kernels::Rules& rules)
{
    check(ou, rules);
    const double kept = 1 - ou.reversion / quarters;
    const double scale = std::pow(10.0, ou.decimals) * ou.start;  // ticks
    CausalPolicy policy{scale, 0, std::pow(kept, quarters), 2 * half + 1, rules, {}};
    double variance = 0;  // of a bar, ticks^2
    for (int k = 0; k < quarters; ++k) variance += std::pow(kept, 2 * k);
    variance *= std::pow(scale * ou.volatility, 2) / quarters;
    const double spread = std::sqrt(variance / (1 - policy.memory * policy.memory));
    policy.step = widths * spread / static_cast<double>(half);

    const auto levels = static_cast<std::size_t>(rules.level_count);
    const auto points = static_cast<std::size_t>(policy.points);
    std::vector<Chances> chances;
    for (i64 k = -half; k <= half; ++k)
        chances.push_back(chances_from(static_cast<double>(k) * policy.step, policy.memory,
                                       std::sqrt(variance), policy.step));

    std::vector<double> value(points * levels, 0), next(points * levels, 0);
    policy.best.assign(points * levels, 0);
    for (double low = 0, high = 1; high - low > precision * std::max(std::abs(high), 1.0);) {
        for (std::size_t p = 0; p < points; ++p) {
            const double distance = (static_cast<double>(p) - half) * policy.step;
            double held[kernels::max_levels];
            for (std::size_t l = 0; l < levels; ++l) {
                held[l] = lots_of(rules, rules.levels_ppm[l]) * (policy.memory - 1) * distance;
                const auto& to = chances[p];
                for (std::size_t k = 0; k < to.of.size(); ++k)
                    held[l] +=
                        to.of[k] * value[(static_cast<std::size_t>(to.first) + k) * levels + l];
            }
            for (std::size_t from = 0; from < levels; ++from) {
                double most = -1e300;
                for (std::size_t l = 0; l < levels; ++l) {
                    const double lots = lots_of(rules, rules.levels_ppm[l]) -
                                        lots_of(rules, rules.levels_ppm[from]);
                    const double worth = held[l] - cost_of(rules, lots, scale + distance);
                    if (worth > most) most = worth, policy.best[p * levels + from] = l;
                }
                next[p * levels + from] = most;
            }
        }
        low = 1e300, high = -1e300;
        for (std::size_t k = 0; k < value.size(); ++k) {
            low = std::min(low, next[k] - value[k]);
            high = std::max(high, next[k] - value[k]);
        }
        const double base = next[half * levels];
        for (std::size_t k = 0; k < value.size(); ++k) value[k] = next[k] - base;
    }
    return policy;
}

kernels::i64 CausalPolicy::level_at(i64 close, i64 in_force) const
{
    const double distance = static_cast<double>(close) - centre;
    const i64 point = std::clamp<i64>(std::llround(distance / step) + points / 2, 0, points - 1);
    const auto* const levels = rules.levels_ppm;
    const i64 from = std::find(levels, levels + rules.level_count, in_force) - levels;
    return levels[best[static_cast<std::size_t>(point * rules.level_count + from)]];
}

Wanted causal_levels(const CausalPolicy& policy, const Market& market, bars::Window window)
{
    Wanted wanted;
    i64 level = 0;
    for (i64 row = window.first; row < window.last; ++row)
        wanted.push_back(level = policy.level_at(market.close.read()[row], level));
    return wanted;
}

double expected_profit(const CausalPolicy& policy, const Market& market, bars::Window window,
                       const Wanted& wanted)
{
    double profit = 0, held = 0;
    for (std::size_t t = 0; t < wanted.size(); ++t) {
        const auto close = static_cast<double>(market.close.read()[window.first + i64(t)]);
        const double lots = lots_of(policy.rules, wanted[t]);
        profit -= cost_of(policy.rules, lots - held, close);
        profit += lots * (policy.memory - 1) * (close - policy.centre);
        held = lots;
    }
    return profit;
}

}  // namespace barsweep::sim
