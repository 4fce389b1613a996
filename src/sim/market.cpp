#include "sim/market.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "kernels/money.hpp"

namespace barsweep::sim {
namespace {

using kernels::i64;

UserError too_large(const bars::BarSeries& series)
{
    return UserError{
        {"symbol " + series.symbol, "closes whose sum stays below 2^63 ticks",
         "a larger sum at " + std::to_string(series.price_decimals) + " price decimals",
         "import the bars with fewer --decimals"}};
}

std::vector<i64> running_sum(const bars::BarSeries& series)
{
    std::vector<i64> before{0};
    before.reserve(series.size() + 1);
    bool overflow = false;
    for (const auto& bar : series.ohlc) {
        before.push_back(kernels::narrow(kernels::i128{before.back()} + bar[3], overflow));
        if (overflow) throw too_large(series);
    }
    return before;
}

}  // namespace

Market load_market(device::Backend backend, const bars::BarSeries& series)
{
    std::vector<i64> rows, open, close;
    rows.reserve(4 * series.size());
    open.reserve(series.size());
    close.reserve(series.size());
    i64 bound = 0;
    for (const auto& bar : series.ohlc) {
        rows.insert(rows.end(), bar.begin(), bar.end());
        open.push_back(bar[0]);
        close.push_back(bar[3]);
        for (const i64 price : bar) {
            if (price == INT64_MIN) throw too_large(series);
            bound = std::max(bound, price < 0 ? -price : price);
        }
    }
    const auto load = [backend](const std::vector<i64>& host) {
        return device::Buffer<i64>{backend, std::span<const i64>{host}};
    };
    return {load(rows), load(open), load(close), load(series.sigma), load(running_sum(series)),
            bound};
}

}  // namespace barsweep::sim
