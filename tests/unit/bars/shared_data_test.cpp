// Real files and the cases of reported faults, where BARSWEEP_SHARED has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/decimal.hpp"
#include "base/time.hpp"
#include "support.hpp"

namespace barsweep::bars {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SharedData : public testing::Test {
protected:
    void SetUp() override
    {
        if (!std::filesystem::exists(shared("cases/D02")) ||
            !std::filesystem::exists(shared("bars")))
            GTEST_SKIP() << "BARSWEEP_SHARED with cases/ and bars/ is not here";
    }

    static Import import(const std::string& name, const ImportOptions& options = {})
    {
        return import_csv({shared(name)}, options);
    }
    static std::string refuse(const std::string& name)
    {
        return refusal([&] { import(name); });
    }
    static std::string reference_sum(const std::string& name)
    {
        const auto text = bytes_of(shared("reference/strategies/" + name + "/reference.json"));
        const std::string key = "\"canonical_sha256\": \"";
        return text.substr(text.find(key) + key.size(), 64);
    }
};

ImportOptions in_format(CsvFormat format)
{
    ImportOptions options;
    options.format = format;
    return options;
}

TEST_F(SharedData, AYearOfBitfinexMinutesIsTheReferencesBars)
{
    const auto series = import("bars/bitfinex_zombie3000/BTCUSD/Candles_1m/2015/merged.csv.gz",
                               in_format(CsvFormat::bitfinex))
                            .series;
    EXPECT_EQ(series.size(), 366'710u);
    EXPECT_EQ(canonical_sha256(series), reference_sum("S1_btcusd_2015_1m"));
    EXPECT_NEAR(measured_ppy(series), 366960.86872311396, 1e-6);
}

TEST_F(SharedData, FxcmMinutesWithOffsetsAndNoVolumeAreTheReferencesBars)
{
    const auto series = import("bars/nautilus/tests/test_data/fxcm/usdjpy-m1-bid-2013.csv").series;
    EXPECT_EQ(series.size(), 28'761u);
    EXPECT_EQ(canonical_sha256(series), reference_sum("S2_usdjpy_bid_201302_1m"));
}

TEST_F(SharedData, HourlyForexWithPointedDatesIsRead)
{
    const auto series =
        import("bars/gym_anytrading/gym_anytrading/datasets/data/FOREX_EURUSD_1H_ASK.csv").series;
    EXPECT_EQ(series.size(), 6'225u);
    EXPECT_EQ(to_iso8601(series.time[0]), "2017-01-01T22:00:00Z");
}

TEST_F(SharedData, BinanceKlinesAreReadWithoutBeingNamed)
{
    const auto import_ = import("bars/nautilus/tests/test_data/ADABTC-1m-2021-11-27.csv");
    EXPECT_EQ(import_.series.price_decimals, 8);
    EXPECT_EQ(import_.series.ohlc[0][0], 2853);
}

TEST_F(SharedData, VolumesInExponentFormAreExact)
{
    const auto series = import("bars/bitfinex_zombie3000/BTCUSD/Candles_1m/2014/merged.csv.gz",
                               in_format(CsvFormat::bitfinex))
                            .series;
    EXPECT_EQ(series.size(), 283'787u);
    EXPECT_EQ(to_text(series.volume[3711], series.volume_decimals),
              "0.0000001");  // 1e-7 on line 3712
}

TEST_F(SharedData, ARepeatedBlockOfBarsIsCountedAndRefused)
{
    const std::string file = "bars/snowguru/crypto/uni/UNIUSDT_M15.csv";
    EXPECT_THAT(refuse(file), AllOf(HasSubstr("57 repeated times"), HasSubstr("4 steps back")));
    ImportOptions options;
    options.duplicates = Duplicates::first;
    const auto import_ = import(file, options);
    EXPECT_EQ(import_.series.size(), 87'539u);
    EXPECT_EQ(import_.info.findings.at("duplicate").count, 57);
    EXPECT_EQ(import_.info.findings.at("backward_step").count, 4);
}

TEST_F(SharedData, CaseD01RefusesLocalTimesAtTheFirstStepBack)
{
    EXPECT_THAT(refuse("cases/D01/ny_local.csv"),
                HasSubstr("1 step back (first: line 8, 2023-11-05T01:00:00Z)"));
    EXPECT_EQ(import("cases/D01/utc_ok.csv").series.time[0], 1'699'158'600'000'000'000);
}

TEST_F(SharedData, CaseD02NamesAllThreeFaults)
{
    EXPECT_THAT(refuse("cases/D02/dup.csv"), AllOf(HasSubstr("line 4, 2024-01-02T10:01:00Z"),
                                                   HasSubstr("line 6, 2024-01-02T10:02:00Z"),
                                                   HasSubstr("line 8, 2024-01-02T10:03:00Z")));
}

TEST_F(SharedData, CaseD03NamesFileLineAndColumn)
{
    const std::map<std::string, std::string> faults{
        {"nan_close", ":4, column close"},     {"blank_open", ":4, column open"},
        {"zero_low", ":4, column low"},        {"inf_high", ":4, column high"},
        {"two_dots", ":4, column open"},       {"short_row", ":4, column low"},
        {"high_below_low", ":4, column high"}, {"neg_volume", ":4, column volume"},
        {"header_only", "no data rows"},       {"empty", "no data rows"}};
    for (const auto& [name, said] : faults)
        EXPECT_THAT(refuse("cases/D03/" + name + ".csv"),
                    AllOf(HasSubstr(name + ".csv"), HasSubstr(said)));
    EXPECT_EQ(import("cases/D03/zero_volume_ok.csv").series.size(), 4u);
    EXPECT_EQ(import("cases/D03/bom_crlf_ok.csv").series.size(), 3u);
    EXPECT_EQ(import("cases/D03/no_final_newline_ok.csv").series.size(), 3u);
}

TEST_F(SharedData, CaseD04KeepsTinyPricesExact)
{
    const auto series = import("cases/D04/tiny.csv").series;
    EXPECT_EQ(series.price_decimals, 8);
    for (const auto& [row, ticks] :
         std::map<std::size_t, std::int64_t>{{0, 2854}, {1, 2859}, {2, 2859}})
        EXPECT_EQ(series.ohlc[row][3], ticks);
    EXPECT_THAT(refuse("cases/D04/too_fine.csv"),
                HasSubstr(":2, column close: expected at most 9 decimals"));
}

}  // namespace
}  // namespace barsweep::bars
