#include "sim/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace barsweep::sim {
namespace {

using kernels::i64;
using kernels::ratio;

constexpr double zero_deviation = 1e-12;  ///< below it a deviation is rounding noise

/// A number, or why there is none.
struct Figure {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::string reason;

    static Figure undefined(std::string why) { return {{}, std::move(why)}; }
};

void put(Metrics& metrics, const std::string& name, const Figure& figure)
{
    if (!figure.reason.empty()) {
        metrics.reasons[name] = figure.reason;
    } else if (!std::isfinite(figure.value)) {
        metrics.reasons[name] = "too large for a double";
    } else {
        metrics.values[name] = figure.value;
    }
}

std::optional<Figure> no_year(double ppy)
{
    if (std::isfinite(ppy) && ppy > 0) return std::nullopt;
    return Figure::undefined("bars a year are unknown");
}

/// Standard deviation of the returns, ddof 1; 0 where it is rounding noise.
double deviation(const kernels::Moments& r)
{
    const double sd = std::sqrt(r.m2 / static_cast<double>(r.count - 1));
    return sd < zero_deviation ? 0 : sd;
}

/// Mean return over `risk`, a year.
Figure reward_to(double risk, const kernels::Moments& r, double ppy, const std::string& none)
{
    if (r.count < 2) return Figure::undefined("fewer than two bars");
    if (auto unknown = no_year(ppy)) return *unknown;
    if (risk < zero_deviation) return Figure::undefined(none);
    return {r.mean / risk * std::sqrt(ppy), {}};
}

void put_returns(Metrics& metrics, const kernels::Moments& r, double ppy)
{
    const double n = static_cast<double>(r.count);
    const double sd = r.count > 1 ? deviation(r) : 0;
    const Figure constant = Figure::undefined(
        r.count < 2 ? "fewer than two bars" : "returns do not vary (deviation below 1e-12)");

    const auto unknown = r.count < 2 ? std::optional{constant} : no_year(ppy);
    put(metrics, "volatility", unknown ? *unknown : Figure{sd * std::sqrt(ppy), {}});
    put(metrics, "sharpe", reward_to(sd, r, ppy, constant.reason));
    put(metrics, "sortino",
        reward_to(std::sqrt(r.downside / n), r, ppy, "no bar lost (deviation below 1e-12)"));
    const bool varies = sd > 0;
    put(metrics, "skew",
        varies ? Figure{std::sqrt(n) * r.m3 / (r.m2 * std::sqrt(r.m2)), {}} : constant);
    put(metrics, "kurtosis", varies ? Figure{n * r.m4 / (r.m2 * r.m2), {}} : constant);
}

/// Growth a year; each bar of the window counts as one of `ppy`.
Figure growth(double multiple, i64 bars, double ppy)
{
    if (auto unknown = no_year(ppy)) return *unknown;
    if (multiple <= 0) return Figure::undefined("no money is left");
    return {std::pow(multiple, ppy / static_cast<double>(bars)) - 1, {}};
}

void put_trades(Metrics& metrics, const kernels::BacktestTotals& totals, i64 initial)
{
    const Figure none = Figure::undefined("no round trip");
    const auto a_trip = [&](double value) { return totals.trades == 0 ? none : Figure{value, {}}; };
    put(metrics, "win_rate", a_trip(ratio(totals.wins, totals.trades)));
    put(metrics, "average_trade",
        a_trip(static_cast<double>(totals.gross_profit - totals.gross_loss) /
               static_cast<double>(totals.trades) / static_cast<double>(initial)));
    if (totals.trades > 0 && totals.losses == 0) {
        put(metrics, "profit_factor", Figure::undefined("no round trip lost"));
    } else {
        put(metrics, "profit_factor", a_trip(ratio(totals.gross_profit, totals.gross_loss)));
    }
}

}  // namespace

Metrics metrics_of(const kernels::BacktestTotals& totals, i64 initial, double ppy)
{
    Metrics metrics;
    const double multiple = ratio(totals.final_equity, initial);
    const double depth = totals.drawdown.depth();
    const Figure cagr = growth(multiple, totals.bars, ppy);

    put(metrics, "total_return",
        {ratio(kernels::i128{totals.final_equity} - initial, initial), {}});
    put(metrics, "cagr", cagr);
    put_returns(metrics, totals.returns, ppy);
    put(metrics, "max_drawdown", {depth, {}});
    put(metrics, "max_drawdown_bars",
        {depth > 0 ? static_cast<double>(totals.drawdown.bars) : 0, {}});
    put(metrics, "calmar",
        depth > 0 ? Figure{cagr.value / depth, cagr.reason} : Figure::undefined("no drawdown"));
    put_trades(metrics, totals, initial);
    put(metrics, "turnover", {ratio(totals.turnover, initial), {}});
    put(metrics, "exposure", {ratio(totals.bars_in_market, totals.bars), {}});
    return metrics;
}

std::vector<std::string> metric_names()
{
    const auto [values, reasons] = metrics_of({}, 1, 1);  // each name is in one of the two
    std::vector<std::string> names;
    for (const auto& [name, value] : values) names.push_back(name);
    for (const auto& [name, reason] : reasons) names.push_back(name);
    std::ranges::sort(names);
    return names;
}

}  // namespace barsweep::sim
