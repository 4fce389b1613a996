#include "sim/account_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace barsweep::sim {
namespace {

using testing::HasSubstr;
using Values = std::map<std::string, std::string>;

bars::BarSeries series_at(std::int64_t close, int price_decimals)
{
    bars::BarSeries series;
    series.price_decimals = price_decimals;
    series.time = {0};
    series.ohlc = {{close, close, close, close}};
    series.volume = {0};
    series.sigma = {0};
    return series;
}

ResolvedAccount resolve(const Values& values, std::int64_t close = 10'000, int price_decimals = 2,
                        double ppy = 1'000)
{
    return resolve_account(parse_account(values, "jobs/a.ini"), series_at(close, price_decimals),
                           ppy, "jobs/a.ini");
}

std::string refusal(const Values& values)
{
    try {
        resolve(values);
    } catch (const UserError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(AccountOptions, DefaultsAreTheTextsThatHelpShows)
{
    Values texts;
    for (const auto& key : account_keys()) texts[key.name] = key.fallback;
    const auto shown = parse_account(texts, "help");
    const AccountOptions defaults;
    EXPECT_EQ(shown.initial, defaults.initial);
    EXPECT_EQ(shown.levels, defaults.levels);
    EXPECT_EQ(shown.lot_decimals, defaults.lot_decimals);
    EXPECT_EQ(shown.unit, defaults.unit);
    EXPECT_EQ(shown.barrier, defaults.barrier);
    EXPECT_EQ(shown.target, defaults.target);
    EXPECT_EQ(shown.stop, defaults.stop);
    EXPECT_EQ(shown.hold, defaults.hold);
    EXPECT_EQ(shown.reentry, defaults.reentry);
    EXPECT_EQ(shown.fill, defaults.fill);
    EXPECT_EQ(shown.ruin, defaults.ruin);
}

TEST(AccountOptions, EveryKeyTakesItsExample)
{
    for (const auto& key : account_keys()) {
        EXPECT_NO_THROW(parse_account({{key.name, key.example}}, "x")) << key.name;
    }
}

TEST(AccountOptions, CostsAreExactAndHalfTheSpreadIsPaidASide)
{
    const auto rules = resolve({{"spread", "0.003"}, {"fee_bps", "1.5"}}).rules;
    EXPECT_EQ(rules.half_spread_nanoticks, 150'000'000);  // 0.15 of a 0.01 tick
    EXPECT_EQ(rules.rate_ppb, 150'000);
    EXPECT_EQ(resolve({{"spread_bps", "3"}, {"fee_bps", "1"}}).rules.rate_ppb, 250'000);
}

TEST(AccountOptions, LotsAreTheCoarsestOfWhichTheMoneyBuysTenThousand)
{
    EXPECT_EQ(resolve({}).lot_decimals, 2);                        // 100 units at 100.00
    EXPECT_EQ(resolve({{"initial", "1000000"}}).lot_decimals, 0);  // exactly 10,000
    EXPECT_EQ(resolve({{"initial", "999999.99"}}).lot_decimals, 1);
    EXPECT_EQ(resolve({{"unit", "0.0005"}}).lot_decimals, 4) << "finer where the unit is";
    EXPECT_EQ(resolve({{"unit", "0.0005"}}).rules.unit_lots, 5);
    EXPECT_EQ(resolve({}).rules.initial, 10'000'0000);
}

TEST(AccountOptions, CarryIsAYearsDividedByItsBars)
{
    EXPECT_EQ(resolve({{"carry_long_bps", "500"}}).rules.carry_long_ppb, 50'000);
    EXPECT_EQ(resolve({{"carry_short_bps", "-0.00005"}}).rules.carry_short_ppb, 0);
}

TEST(AccountOptions, RefusesByKeyInOneSentence)
{
    EXPECT_EQ(
        refusal({{"hold", "0"}}),
        "jobs/a.ini: expected account.hold as a whole number from 1 to 1000000000, found '0'. "
        "To fix: write for example account.hold = 60.");
    EXPECT_THAT(refusal({{"barrier", "exits"}}),
                HasSubstr("one of off, label, exit, found 'exits'"));
    EXPECT_THAT(refusal({{"levels", "1"}}), HasSubstr("2 to 16 decimal numbers"));
    EXPECT_THAT(refusal({{"levels", "1 x"}}), HasSubstr("found 'x'"));
    EXPECT_THAT(refusal({{"cash_reserve", "1.01"}}), HasSubstr("account.cash_reserve"));
    EXPECT_THAT(refusal({{"spread", "0.1"}, {"spread_bps", "1"}}), HasSubstr("found both"));
    EXPECT_THAT(refusal({{"spread", "1000000000000000"}}),
                HasSubstr("account.spread as a number below"));
    EXPECT_THAT(refusal({{"unit", "0.25"}, {"lot_decimals", "1"}}),
                HasSubstr("account.unit as a number of at most 1 decimals"));
    EXPECT_THAT(refusal({{"initial", "0"}}), HasSubstr("account.initial"));
    EXPECT_THAT(refusal({{"initial", "1000000000000000"}, {"lot_decimals", "2"}}),
                HasSubstr("account.initial"));
    EXPECT_THAT(refusal({{"unit", "0"}}), HasSubstr("account.unit as a size above 0"));
}

TEST(AccountOptions, SampledSharesRatesAndDistancesAreRoundedToTheAccountsUnits)
{
    EXPECT_EQ(resolve({{"target", "1.2345675000000001"}}).rules.target_ppm, 1'234'568);
    EXPECT_EQ(resolve({{"stop", "0.4999994"}}).rules.stop_ppm, 499'999);
    EXPECT_EQ(resolve({{"cash_reserve", "0.05000049999"}}).rules.reserve_ppm, 50'000);
    EXPECT_EQ(resolve({{"fee_bps", "0.1234567890123"}}).rules.rate_ppb, 12'346);
}

TEST(AccountOptions, AnOddLastUnitOfASpreadIsRoundedAgainstTheAccount)
{
    EXPECT_EQ(resolve({{"spread_bps", "0.00003"}}).rules.rate_ppb, 2);
}

TEST(AccountOptions, CarryWithoutAYearIsRefused)
{
    EXPECT_THROW(resolve({{"carry_long_bps", "5"}}, 10'000, 2, std::nan("")), UserError);
    EXPECT_NO_THROW(resolve({}, 10'000, 2, std::nan("")));
}

}  // namespace
}  // namespace barsweep::sim
