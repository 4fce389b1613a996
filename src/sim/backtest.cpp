#include "sim/backtest.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "device/launch.hpp"
#include "sim/metrics.hpp"

namespace barsweep::sim {
namespace {

using kernels::i64;

/// Writes legs down as fills: the two of a reversal, at one price in one bar, are one row.
struct Recorder {
    std::vector<FillRow>& rows;
    kernels::Cause last_cause = kernels::Cause::ruin;

    void operator()(const kernels::Account& account, const kernels::Leg& leg, i64 bar)
    {
        const bool second_leg = leg.cause == kernels::Cause::order &&
                                last_cause == kernels::Cause::order && !rows.empty() &&
                                rows.back().bar == bar;
        if (!second_leg) rows.push_back({bar, 0, leg.price, 0, 0, 0, 0});
        auto& row = rows.back();
        row.units += leg.lots;
        row.cost += leg.cost;
        row.lots_after = account.lots;
        row.cash_after = account.cash;
        last_cause = leg.cause;
    }
};

[[noreturn]] void overflowed(const Market& market, const kernels::BacktestTotals& totals,
                             i64 wanted_ppm)
{
    const auto bar = kernels::bar_at(market.ohlc.read(), totals.stopped_bar);
    throw std::overflow_error(fmt::format(
        "overflow at bar {}: money, lots or a barrier left int64 (equity {} and {} lots before it; "
        "prices {} {} {} {} ticks; {} ppm asked for)",
        totals.stopped_bar, totals.final_equity, totals.open_lots, bar.open, bar.high, bar.low,
        bar.close, wanted_ppm));
}

}  // namespace

BacktestResult run_backtest(const Market& market, const kernels::Rules& rules, bars::Window window,
                            const Wanted& wanted, double ppy, std::vector<FillRow>* fills,
                            std::vector<i64>* equity)
{
    std::vector<i64> curve(
        fills != nullptr || equity != nullptr ? static_cast<std::size_t>(window.bars()) : 0);
    BacktestResult result;
    kernels::BacktestArgs args;
    args.ohlc = market.ohlc.read();
    args.open = market.open.read();
    args.close = market.close.read();
    args.sigma = market.sigma.read();
    args.rules = {&rules, 1};
    args.wanted = {wanted.data(), static_cast<i64>(wanted.size())};
    args.first = window.first;
    args.last = window.last;
    args.price_bound = market.price_bound;
    args.totals = {&result.totals, 1};
    args.equity = {curve.data(), static_cast<i64>(curve.size())};

    if (fills != nullptr) {
        fills->clear();
        kernels::run_account(args, 0, Recorder{*fills});
    } else {
        device::backtest(device::Backend::cpu, args);
    }
    const auto& totals = result.totals;
    if (totals.status != kernels::Status::good) {
        const auto decision = static_cast<std::size_t>(totals.stopped_bar - 1 - window.first);
        overflowed(market, totals, wanted[decision]);
    }
    auto metrics = metrics_of(totals, rules.initial, ppy);
    result.metrics = std::move(metrics.values);
    result.reasons = std::move(metrics.reasons);
    if (fills != nullptr) {
        for (auto& row : *fills) {
            row.equity_at_close = curve[static_cast<std::size_t>(row.bar - window.first)];
        }
    }
    if (equity != nullptr) *equity = std::move(curve);
    return result;
}

}  // namespace barsweep::sim
