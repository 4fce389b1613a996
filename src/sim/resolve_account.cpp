#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "sim/account_options.hpp"

namespace barsweep::sim {
namespace {

using kernels::i128;
using kernels::i64;

constexpr i128 int64_end = i128{1} << 63;
constexpr int ppm_places = 6;
constexpr int nanotick_places = 9;  ///< beyond a tick
constexpr int bps_to_ppb = 5;       ///< 1e-4 in 1e-9

/// What the sentences of one resolution share.
struct Resolution {
    const AccountOptions& options;
    const std::string& where;
    int price_decimals;

    [[noreturn]] void refuse(const std::string& key, const std::string& expected, Decimal found,
                             const std::string& fix) const
    {
        throw UserError({where, "account." + key + " as " + expected,
                         to_text(found.digits, found.places), fix});
    }

    i64 exact(const std::string& key, Decimal value, int places, const std::string& expected) const
    {
        if (const auto units = to_units(value, places)) return *units;
        refuse(key, expected, value, "round it to that");
    }

    /// Shares, rates and distances are rounded to the account's unit, half to even: a sampler draws
    /// 17 digits of them. (Money and sizes are counts, and must be exact.)
    i64 rounded(const std::string& key, Decimal value, int places) const
    {
        if (const auto units = round_to_units(value, places)) return *units;
        refuse(key, fmt::format("a number below 2^63 units of 10^-{}", places), value,
               "give a smaller one");
    }

    i64 ppm(const std::string& key, Decimal value) const { return rounded(key, value, ppm_places); }

    /// Half of a full spread, in units of 10^-places; an odd last unit is rounded against the
    /// account.
    i64 half(const std::string& key, Decimal spread, int places) const
    {
        const i64 units = rounded(key, spread, places);
        return units / 2 + units % 2;
    }
};

i128 power_of_ten(int exponent)
{
    i128 power = 1;
    for (int i = 0; i < exponent; ++i) power *= 10;
    return power;
}

/// The fewest decimals d with initial >= 10^4 * close * 10^-d, in integers.
int affordable_decimals(Decimal initial, i64 close, int price_decimals)
{
    constexpr int most = 18;
    const i128 cost = kernels::magnitude(close) * 10'000;  // below 2^77
    for (int decimals = 0; decimals < most; ++decimals) {
        const int shift = price_decimals + decimals - initial.places;
        const bool enough = shift >= 0
                                ? initial.digits >= kernels::divide_up(cost, power_of_ten(shift))
                                : initial.digits / power_of_ten(-shift) >= cost;
        if (enough) return decimals;
    }
    return most;
}

int lot_decimals(const Resolution& r, const bars::BarSeries& series)
{
    if (r.options.lot_decimals) return *r.options.lot_decimals;
    const i64 close = series.ohlc.empty() ? 0 : series.ohlc.front()[3];
    const int from_money = affordable_decimals(r.options.initial, close, r.price_decimals);
    const int from_unit = r.options.unit ? r.options.unit->places : 0;
    return std::max(from_money, from_unit);
}

void resolve_money(const Resolution& r, const bars::BarSeries& series, ResolvedAccount& account)
{
    const auto& options = r.options;
    auto& rules = account.rules;
    const auto initial = to_units(options.initial, account.money_decimals());
    if (!initial || *initial <= 0 || i128{*initial} * 1'000 >= int64_end) {
        r.refuse("initial",
                 fmt::format("money above 0, of at most {} decimals, of which 1,000 times are "
                             "below 2^63 of the smallest unit",
                             account.money_decimals()),
                 options.initial, "give another sum, or coarser account.lot_decimals");
    }
    rules.initial = *initial;

    rules.unit_lots = 0;
    if (!options.unit) return;
    const i64 lots = r.exact("unit", *options.unit, account.lot_decimals,
                             fmt::format("a number of at most {} decimals (account.lot_decimals)",
                                         account.lot_decimals));
    const i64 close = series.ohlc.empty() ? 0 : series.ohlc.front()[3];
    if (lots == 0 || kernels::magnitude(lots) * kernels::magnitude(close) >= int64_end / 1'000) {
        r.refuse("unit", "a size above 0 whose price 1,000 times over is below 2^63", *options.unit,
                 "give another size, or coarser account.lot_decimals");
    }
    rules.unit_lots = lots;
}

void resolve_costs(const Resolution& r, double ppy, kernels::Rules& rules)
{
    const auto& options = r.options;
    rules.half_spread_nanoticks =
        r.half("spread", options.spread, r.price_decimals + nanotick_places);
    rules.rate_ppb = r.rounded("fee_bps", options.fee_bps, bps_to_ppb) +
                     r.half("spread_bps", options.spread_bps, bps_to_ppb);

    const auto carry = [&](const std::string& key, Decimal yearly) -> i64 {
        const i64 ppb = r.rounded(key, yearly, bps_to_ppb);
        if (ppb == 0) return 0;
        const double per_bar = static_cast<double>(ppb) / ppy;
        if (!(std::abs(per_bar) <= 1e9)) {
            r.refuse(key, "a rate that makes at most 100 % a bar", yearly,
                     "give data.ppy, the bars in a year");
        }
        return std::llrint(per_bar);
    };
    rules.carry_long_ppb = carry("carry_long_bps", options.carry_long_bps);
    rules.carry_short_ppb = carry("carry_short_bps", options.carry_short_bps);
}

void resolve_levels(const Resolution& r, kernels::Rules& rules)
{
    rules.level_count = static_cast<i64>(r.options.levels.size());
    for (std::size_t i = 0; i < r.options.levels.size(); ++i) {
        rules.levels_ppm[i] = r.ppm("levels", r.options.levels[i]);
    }
}

}  // namespace

ResolvedAccount resolve_account(const AccountOptions& options, const bars::BarSeries& series,
                                double ppy, const std::string& where)
{
    const Resolution r{options, where, series.price_decimals};
    ResolvedAccount account;
    account.price_decimals = series.price_decimals;
    account.lot_decimals = lot_decimals(r, series);

    auto& rules = account.rules;
    resolve_money(r, series, account);
    resolve_costs(r, ppy, rules);
    resolve_levels(r, rules);
    rules.reserve_ppm = r.ppm("cash_reserve", options.cash_reserve);
    rules.target_ppm = r.ppm("target", options.target);
    rules.stop_ppm = r.ppm("stop", options.stop);
    rules.ruin_ppm = r.ppm("ruin", options.ruin);
    rules.fill = options.fill;
    rules.barrier = options.barrier;
    rules.reentry = options.reentry;
    rules.hold_bars = options.hold;
    rules.target_through = options.target_through;
    rules.stop_slippage = options.stop_slippage;
    if (!within_bounds(rules)) {
        throw UserError({where, "account.fee_bps plus half of account.spread_bps up to 100 %",
                         std::to_string(rules.rate_ppb) + " ppb", "lower them"});
    }
    return account;
}

}  // namespace barsweep::sim
