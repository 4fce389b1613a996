// Seeded markets, rules and requests for the account's property tests.
#pragma once
#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "kernels/backtest.hpp"

namespace barsweep::kernels {

struct RandomCase {
    Rules rules;
    std::vector<Bar> bars;
    std::vector<i64> sigma;   ///< [bars] ppb
    std::vector<i64> wanted;  ///< [bars] ppm; the last is never filled
};

class Dice {
public:
    explicit Dice(std::uint64_t seed) : random_{seed, Purpose::synthetic_bars, 77} {}

    /// low..high, both included.
    i64 between(i64 low, i64 high)
    {
        return low + static_cast<i64>(random_.below(static_cast<std::uint64_t>(high - low + 1)));
    }
    bool chance(double share) { return random_.uniform() < share; }
    i64 one_of(std::initializer_list<i64> values)
    {
        return values.begin()[random_.below(values.size())];
    }

private:
    RandomStream random_;
};

inline std::vector<Bar> random_bars(Dice& dice, int count, i64 price = 100'000)
{
    std::vector<Bar> bars;
    for (int i = 0; i < count; ++i) {
        const i64 gap = dice.chance(0.03) ? price / 50 : price / 2'000;
        const i64 open = std::max<i64>(1, price + dice.between(-gap, gap));
        const i64 close = std::max<i64>(1, open + dice.between(-open / 300, open / 300));
        const i64 high = std::max(open, close) + dice.between(0, open / 600);
        const i64 low = std::max<i64>(1, std::min(open, close) - dice.between(0, open / 600));
        bars.push_back({open, high, low, close});
        price = close;
    }
    return bars;
}

inline Rules random_rules(Dice& dice)
{
    Rules rules;
    rules.initial = dice.one_of({1'000'000'000, 1'000'000'000'000, 370'000'000'001});
    rules.half_spread_nanoticks = dice.one_of({0, 500'000'000, 6'500'000'001});
    rules.rate_ppb = dice.one_of({0, 100'000, 1'234'567});
    rules.reserve_ppm = dice.one_of({0, 50'000, 100'001});
    rules.unit_lots = dice.one_of({0, 0, 7, 1'000});
    rules.fill = Fill{static_cast<i32>(dice.between(0, 1))};
    rules.barrier = Barrier{static_cast<i32>(dice.between(0, 2))};
    rules.target_ppm = dice.one_of({1'500'000, 3'000'000});
    rules.stop_ppm = dice.one_of({1'000'000, 2'500'000});
    rules.hold_bars = dice.one_of({1, 5, 20, 60});
    rules.target_through = dice.one_of({0, 1, 5});
    rules.stop_slippage = dice.one_of({0, 3, 1'000});
    rules.reentry = Reentry{static_cast<i32>(dice.between(0, 1))};
    rules.carry_long_ppb = dice.one_of({0, 0, 1'000, -500});
    rules.carry_short_ppb = dice.one_of({0, 0, 2'500});
    rules.ruin_ppm = dice.one_of({0, 200'000, 950'000, 995'000});
    return rules;
}

inline RandomCase random_case(std::uint64_t seed, int count)
{
    Dice dice{seed};
    RandomCase made{random_rules(dice), random_bars(dice, count), {}, {}};
    const double restlessness = dice.chance(0.5) ? 0.15 : 0.02;
    i64 wanted = 0;
    for (int i = 0; i < count; ++i) {
        if (dice.chance(restlessness)) wanted = made.rules.levels_ppm[dice.between(0, 4)];
        made.wanted.push_back(wanted);
        made.sigma.push_back(dice.between(1'000'000, 4'000'000));
    }
    return made;
}

}  // namespace barsweep::kernels
