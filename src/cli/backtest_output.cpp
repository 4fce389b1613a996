#include "cli/backtest_output.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/time.hpp"

namespace barsweep::cli {
namespace {

using nlohmann::ordered_json;

const char* fill_text(kernels::Fill fill)
{
    return fill == kernels::Fill::next_open ? "open of the next bar" : "close of the deciding bar";
}

const char* barrier_text(kernels::Barrier barrier)
{
    return barrier == kernels::Barrier::off     ? "off"
           : barrier == kernels::Barrier::label ? "reported only"
                                                : "close the position";
}

ordered_json conventions(const BacktestReport& report)
{
    return {{"fill", fill_text(report.account.rules.fill)},
            {"barriers", barrier_text(report.account.rules.barrier)},
            {"costs", "half the spread and the fee on each side, rounded up to one unit of money"},
            {"returns", "E'/E - 1 from close to close, one a bar, the first 0"},
            {"deviation", "ddof 1; below 1e-12 it counts as zero"},
            {"risk_free", 0},
            {"year", report.ppy_given ? "data.ppy bars, as given"
                                      : "bars over span in years of 365.25 days, whole store"},
            {"open_position", "marked at the last close, not closed"}};
}

/// Null where it is not a number.
ordered_json number(double value)
{
    return value == value ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json metrics_json(const sim::BacktestResult& result)
{
    ordered_json metrics = ordered_json::object();
    for (const auto& [name, value] : result.metrics) metrics[name] = value;
    for (const auto& [name, reason] : result.reasons) metrics[name] = nullptr;
    return metrics;
}

}  // namespace

std::string backtest_json(const BacktestReport& report)
{
    const auto& totals = report.result.totals;
    const int money = report.account.money_decimals();
    const int lots = report.account.lot_decimals;
    ordered_json json{{"symbol", report.series.symbol},
                      {"bars", totals.bars},
                      {"first_row", report.window.first},
                      {"last_row", report.window.last},
                      {"fills", totals.fills},
                      {"trades", totals.trades},
                      {"wins", totals.wins},
                      {"losses", totals.losses},
                      {"initial", to_text(report.account.rules.initial, money)},
                      {"final_equity", to_text(totals.final_equity, money)},
                      {"costs_paid", to_text(totals.costs, money)},
                      {"open_lots", totals.open_lots},
                      {"open_units", to_text(totals.open_lots, lots)},
                      {"lot_decimals", lots},
                      {"bars_in_market", totals.bars_in_market},
                      {"drawdown_open", totals.drawdown.open},
                      {"ruined_at_bar", nullptr},
                      {"metrics", metrics_json(report.result)},
                      {"reasons", report.result.reasons},
                      {"ppy", number(report.ppy)},
                      {"conventions", conventions(report)}};
    if (totals.ruined) json["ruined_at_bar"] = totals.stopped_bar;
    return json.dump(2) + "\n";
}

std::string backtest_text(const BacktestReport& report)
{
    const auto& totals = report.result.totals;
    const int money = report.account.money_decimals();
    std::string text;
    const auto line = [&text](const std::string& name, const std::string& value) {
        text += fmt::format("{:<18} {}\n", name, value);
    };
    line("bars",
         fmt::format("{} (rows {}..{})", totals.bars, report.window.first, report.window.last));
    line("fills", fmt::to_string(totals.fills));
    line("trades", fmt::format("{} ({} won, {} lost)", totals.trades, totals.wins, totals.losses));
    line("final_equity", to_text(totals.final_equity, money));
    line("costs_paid", to_text(totals.costs, money));
    line("open_units", to_text(totals.open_lots, report.account.lot_decimals));
    if (totals.ruined) line("ruined_at_bar", fmt::to_string(totals.stopped_bar));
    for (const auto& [name, value] : report.result.metrics)
        line(name, fmt::format("{:.6g}", value));
    for (const auto& [name, reason] : report.result.reasons) line(name, "undefined: " + reason);
    line("ppy", fmt::format("{:.9g} ({})", report.ppy, report.ppy_given ? "given" : "measured"));
    line("fill", fill_text(report.account.rules.fill));
    return text;
}

std::string fills_csv(const BacktestReport& report, const std::vector<sim::FillRow>& fills)
{
    const int money = report.account.money_decimals();
    const int lots = report.account.lot_decimals;
    std::string text = "bar,ts_ns,units,open_price,cost,units_after,cash_after,equity_at_close\n";
    for (const auto& fill : fills) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{}\n", fill.bar,
                       report.series.time[static_cast<std::size_t>(fill.bar)],
                       to_text(fill.units, lots),
                       to_text(fill.price, report.account.price_decimals),
                       to_text(fill.cost, money), to_text(fill.lots_after, lots),
                       to_text(fill.cash_after, money), to_text(fill.equity_at_close, money));
    }
    return text;
}

std::string actions_csv(const sim::Wanted& wanted, std::int64_t first, bool units, int lot_decimals)
{
    constexpr int ppm_places = 6;
    std::string text = units ? "bar,units\n" : "bar,level\n";
    for (const auto lots_or_ppm : wanted) {
        fmt::format_to(std::back_inserter(text), "{},{}\n", first++,
                       to_text(lots_or_ppm, units ? lot_decimals : ppm_places));
    }
    return text;
}

}  // namespace barsweep::cli
