#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "kernels/experience.hpp"

namespace barsweep::kernels {

template <class T>
View<T> view(std::vector<T>& host)
{
    return {host.data(), static_cast<i64>(host.size())};
}

template <class T>
View<const T> view(const std::vector<T>& host)
{
    return {host.data(), static_cast<i64>(host.size())};
}

/// Bits, so that NaN and the sign of zero count.
inline std::vector<std::uint32_t> bits(const std::vector<float>& row)
{
    std::vector<std::uint32_t> all;
    for (const float x : row) all.push_back(std::bit_cast<std::uint32_t>(x));
    return all;
}

/// -1..1
inline std::vector<float> random_floats(std::uint64_t seed, i64 count)
{
    RandomStream random{seed, Purpose::synthetic_bars};
    std::vector<float> row;
    for (i64 i = 0; i < count; ++i) row.push_back(static_cast<float>(2 * random.uniform() - 1));
    return row;
}

/// A walk with features of no meaning, and episodes over it.
struct TestWorld {
    std::vector<i64> ohlc, sigma, starts;
    std::vector<float> features;
    i32 feature_count;
    i64 episode_bars;

    TestWorld(i64 rows, i32 count, std::vector<i64> episodes, i64 bars)
        : starts{std::move(episodes)},
          features{random_floats(7, rows * count)},
          feature_count{count},
          episode_bars{bars}
    {
        RandomStream random{5, Purpose::synthetic_bars};
        i64 close = 100'000;
        for (i64 row = 0; row < rows; ++row) {
            const i64 open = close + static_cast<i64>(random.below(101)) - 50;
            close = open + static_cast<i64>(random.below(401)) - 200;
            const i64 high = std::max(open, close) + static_cast<i64>(random.below(100));
            const i64 low = std::min(open, close) - static_cast<i64>(random.below(100));
            ohlc.insert(ohlc.end(), {open, high, low, close});
            sigma.push_back(1'500'000 + static_cast<i64>(random.below(1'000'000)));
        }
    }

    World world(AccountView account = AccountView::full) const
    {
        return {view(ohlc), view(sigma),  view(features), feature_count,
                account,    view(starts), episode_bars};
    }
};

inline Rules test_rules()
{
    Rules rules;
    rules.initial = 1'000'000'000;
    rules.rate_ppb = 100'000;
    rules.barrier = Barrier::exit;
    rules.hold_bars = 5;
    return rules;
}

}  // namespace barsweep::kernels
