#include <algorithm>

#include "sim/backtest.hpp"

namespace barsweep::sim {
namespace {

using kernels::i128;
using kernels::i64;

/// `Sum` holds fast * slow * the largest price. `wanted` has one place a decision.
template <class Sum>
void compare_averages(const Market& market, const Rule& rule, i64 first, i64* wanted, i64 count)
{
    const i64* before = market.close_before.read().data;
    const i64 below = rule.long_flat ? 0 : -kernels::million;
    i64 level = 0;
    for (i64 i = 0; i < count; ++i) {
        const i64 t = first + i;
        const Sum fast = before[t + 1] - before[t + 1 - rule.fast];
        const Sum slow = before[t + 1] - before[t + 1 - rule.slow];
        const Sum difference = fast * rule.slow - slow * rule.fast;  // of averages, times both
        level = difference > 0 ? kernels::million : difference < 0 ? below : level;
        wanted[i] = level;
    }
}

}  // namespace

Wanted rule_wants(const Market& market, const Rule& rule, bars::Window window)
{
    Wanted wanted(static_cast<std::size_t>(window.decisions()), 0);
    const i64 start = std::max<i64>(window.first, rule.slow - 1);  // completes the slow average
    const i64 count = window.last - start;
    if (count <= 0) return wanted;
    i64* out = wanted.data() + (start - window.first);
    const bool narrow = i128{2} * rule.fast * rule.slow * market.price_bound >> 63 == 0;
    if (narrow) {
        compare_averages<i64>(market, rule, start, out, count);
    } else {
        compare_averages<i128>(market, rule, start, out, count);
    }
    return wanted;
}

}  // namespace barsweep::sim
