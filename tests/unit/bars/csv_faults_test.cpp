// Bad cells: each is refused by file, line and column, and nothing else happens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace barsweep::bars {
namespace {

using testing::HasSubstr;

constexpr const char* good =
    "time,open,high,low,close,volume\n"
    "2024-01-02 10:00:00,10,11,9,10.5,100\n"
    "2024-01-02 10:01:00,10.5,11,10,10.8,90\n";

/// The refusal of two good rows and then `row`, on line 4.
std::string refuse_row(const std::string& row, const ImportOptions& options = {})
{
    return refusal(
        [&] { import_text(good + row + "\n2024-01-02 10:03:00,11,12,10,11,1\n", options); });
}

TEST(CsvFaults, RefusesABlankOpenByLineAndColumn)
{
    EXPECT_THAT(
        refuse_row("2024-01-02 10:02:00,,12,10,11,1"),
        HasSubstr("bars.csv:4, column open: expected a price, found a blank cell. To fix: "));
}

TEST(CsvFaults, RefusesANaNClose)
{
    EXPECT_THAT(refuse_row("2024-01-02 10:02:00,11,12,10,nan,1"),
                HasSubstr("bars.csv:4, column close: expected a price, found 'nan'"));
}

TEST(CsvFaults, RefusesAnInfiniteHigh)
{
    EXPECT_THAT(refuse_row("2024-01-02 10:02:00,11,inf,10,11,1"), HasSubstr(":4, column high"));
}

TEST(CsvFaults, RefusesTwoPoints)
{
    EXPECT_THAT(refuse_row("2024-01-02 10:02:00,10.8.1,12,10,11,1"), HasSubstr(":4, column open"));
}

TEST(CsvFaults, RefusesAShortRowNamingTheFirstColumnItLacks)
{
    EXPECT_THAT(refuse_row("2024-01-02 10:02:00,10.8,12"),
                HasSubstr(":4, column low: expected 6 cells, found 3"));
}

TEST(CsvFaults, RefusesALongRow)
{
    EXPECT_THAT(refuse_row("2024-01-02 10:02:00,11,12,10,11,1,7"),
                HasSubstr(":4: expected 6 cells, found 7"));
}

TEST(CsvFaults, RefusesAHighBelowTheOpen)
{
    EXPECT_THAT(
        refuse_row("2024-01-02 10:02:00,10.8,10.5,10,10.2,1"),
        HasSubstr(
            ":4, column high: expected a high no lower than the open of '10.8', found '10.5'"));
}

TEST(CsvFaults, RefusesALowAboveTheClose)
{
    EXPECT_THAT(refuse_row("2024-01-02 10:02:00,11,12,10.6,10.50,1"),
                HasSubstr(":4, column low: expected a low no higher than the close of '10.50'"));
}

TEST(CsvFaults, RefusesAPriceOfZeroUnlessAllowed)
{
    const std::string row = "2024-01-02 10:02:00,11,12,0,11,1";
    EXPECT_THAT(refuse_row(row), HasSubstr(":4, column low: expected a price above 0, found '0'"));
    ImportOptions options;
    options.allow_nonpositive = true;
    EXPECT_EQ(refuse_row(row, options), "");
}

TEST(CsvFaults, NotesNonpositivePricesThatAreAllowed)
{
    ImportOptions options;
    options.allow_nonpositive = true;
    const auto import = import_text(
        good + std::string{"2024-01-02 10:02:00,-4.97,-4.00,-37.50,-35.25,5\n"}, options);
    EXPECT_EQ(import.series.ohlc.back(), (std::array<std::int64_t, 4>{-497, -400, -3750, -3525}));
    EXPECT_EQ(import.info.findings.at("nonpositive_price").count, 1);
    const double r = std::log(10.8 / 10.5);  // the step to a price below zero counts as no return
    EXPECT_NEAR(static_cast<double>(import.series.sigma.back()),
                std::sqrt((1 - 2.0 / 101) * r * r) * 1e9, 1);
}

TEST(CsvFaults, RefusesANegativeVolume)
{
    EXPECT_THAT(refuse_row("2024-01-02 10:02:00,11,12,10,11,-80"),
                HasSubstr(":4, column volume: expected a volume of 0 or more, found '-80'"));
}

TEST(CsvFaults, RefusesDigitsFinerThanATick)
{
    EXPECT_THAT(refuse_row("2024-01-02 10:02:00,11,12,10,11.0000000001,1"),
                HasSubstr(":4, column close: expected at most 9 decimals, found '11.0000000001'"));
    ImportOptions options;
    options.decimals = 1;
    EXPECT_THAT(refuse_row("2024-01-02 10:02:00,11,12,10,11.25,1", options),
                HasSubstr(":4, column close: expected at most 1 decimals, found '11.25'"));
    EXPECT_EQ(refuse_row("2024-01-02 10:02:00,11,12,10,11.200,1", options), "");
}

TEST(CsvFaults, RefusesABadTime)
{
    EXPECT_THAT(refuse_row("2024-02-30 10:02:00,11,12,10,11,1"),
                HasSubstr(":4, column time: expected a time, found '2024-02-30 10:02:00'"));
}

TEST(CsvFaults, TellsTheFirstOfSeveralWithTheCountOfTheRest)
{
    EXPECT_THAT(refuse_row("x,11,12,10,11,1\n2024-01-02 10:02:00,11,12,10,oops,1\nshort"),
                HasSubstr(":4, column time: expected a time, found 'x' (and 2 more bad rows)"));
}

TEST(CsvFaults, NamesAColumnAsTheFileDoes)
{
    EXPECT_THAT(refusal([] { import_text("Date;O;H;L;C\n2024-01-02;1;1;1;?\n"); }),
                HasSubstr(":2, column C: expected a price, found '?'"));
}

TEST(CsvFaults, RefusesFilesWithoutBars)
{
    EXPECT_THAT(refusal([] { import_text(""); }),
                HasSubstr(":1: expected bars, found no data rows"));
    EXPECT_THAT(refusal([] { import_text("\n\n# only this\n"); }), HasSubstr("found no data rows"));
    EXPECT_THAT(refusal([] { import_text("time,open,high,low,close,volume\n"); }),
                HasSubstr("found no data rows"));
}

TEST(CsvFaults, RefusesAPriceThatOverflowsOnTheFilesScale)
{
    EXPECT_THAT(refusal([] {
                    import_text(
                        "t,o,h,l,c\n1,0.000000001,0.000000001,0.000000001,0.000000001\n"
                        "2,99999999999,99999999999,99999999999,99999999999\n");
                }),
                HasSubstr("bars.csv:3: expected numbers below 2^63 at the file's 9 decimals"));
}

TEST(CsvFaults, RefusesNamedZones)
{
    ImportOptions options;
    options.timezone = "America/New_York";
    EXPECT_THAT(
        refuse_row("", options),
        HasSubstr("--timezone: expected UTC or a fixed offset from it such as UTC-5 or +02:00, "
                  "found 'America/New_York'"));
}

}  // namespace
}  // namespace barsweep::bars
