#include "bars/csv_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace barsweep::bars {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CsvLayout layout_of(std::string_view text, CsvFormat format = CsvFormat::automatic,
                    const std::string& columns = {})
{
    return find_layout("bars.csv", text, format, columns);
}

TEST(CsvColumns, AreFoundByAliasInAnyCaseAndOrder)
{
    EXPECT_THAT(layout_of("Open Time;VOLUME;close;LOW;High;open\n1;1;1;1;1;1\n").column,
                ElementsAre(0, 5, 4, 3, 2, 1));
    EXPECT_THAT(layout_of("date,o,h,l,c,adj close,v\n1,1,1,1,1,1,1\n").column,
                ElementsAre(0, 1, 2, 3, 4, 6));
}

TEST(CsvColumns, TakeAnIndexWithoutANameAsTheTime)
{
    EXPECT_THAT(layout_of(",Open,High,Low,Close\n2024-01-02,1,1,1,1\n").column,
                ElementsAre(0, 1, 2, 3, 4, CsvLayout::absent));
}

TEST(CsvColumns, RefuseAMissingColumnNamingWhatThereIs)
{
    EXPECT_THAT(refusal([] { layout_of("date,open,high,close\n1,1,1,1\n"); }),
                HasSubstr("bars.csv:1: expected a column of low, found 'date,open,high,close'"));
}

TEST(CsvColumns, RefuseTwoColumnsThatCouldBeTheSame)
{
    EXPECT_THAT(refusal([] { layout_of("unix,date,open,high,low,close\n1,1,1,1,1,1\n"); }),
                HasSubstr("expected one column of time (both 'unix' and 'date' could be it)"));
}

TEST(CsvColumns, PassOverLinesBeforeTheHeaderAndSaySo)
{
    const auto layout = layout_of("https://example.org\ntime,open,high,low,close\n1,1,1,1,1\n");
    EXPECT_EQ(layout.first_line, 3);
    EXPECT_EQ(layout.note, "lines before the data: 'https://example.org'");
}

TEST(CsvColumns, AreTakenInTheOrderGiven)
{
    const auto layout =
        layout_of("1,x,4,2,3,1\n", CsvFormat::automatic, "time,-,high,open,close,low");
    EXPECT_THAT(layout.column, ElementsAre(0, 3, 2, 5, 4, CsvLayout::absent));
    EXPECT_EQ(layout.first_line, 1);
    EXPECT_EQ(layout_of("a,b,c,d,e\n1,1,1,1,1\n", CsvFormat::automatic, "time,open,high,low,close")
                  .first_line,
              2);
}

TEST(CsvColumns, RefuseAGivenOrderWithoutAPrice)
{
    EXPECT_THAT(refusal([] { layout_of("1,1,1\n", CsvFormat::automatic, "time,open,high"); }),
                HasSubstr("--columns: expected a column of low, found 'time,open,high'"));
}

TEST(CsvColumns, OfTwelveNumbersWithoutAHeaderAreBinances)
{
    const auto layout = layout_of("1637971200000,1,1,1,1,1,1,1,1,1,1,0\n");
    EXPECT_THAT(layout.column, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(layout.note, HasSubstr("Binance"));
}

TEST(CsvColumns, WithoutAHeaderAreOnlyTakenWhereOneOrderFits)
{
    const auto bitfinex = layout_of("1,5,4,6,3,1\n2,5,5,5,5,1\n");
    EXPECT_THAT(bitfinex.column, ElementsAre(0, 1, 3, 4, 2, 5));
    EXPECT_THAT(bitfinex.note, HasSubstr("Bitfinex"));
    EXPECT_THAT(layout_of("1,4,6,3,5,1\n").column, ElementsAre(0, 1, 2, 3, 4, 5));
    for (const auto* either : {"1,5,5,5,5,1\n", "1,3,9,1,7,1\n2,5,4,6,3,1\n"})
        EXPECT_THAT(
            refusal([&] { layout_of(either); }),
            HasSubstr("6 columns without names, whose order can't be told. To fix: say --format "
                      "bitfinex or binance, or name them in order: --columns time,open"));
}

TEST(CsvColumns, OfAGivenFormatNeedNoProof)
{
    EXPECT_THAT(layout_of("1,5,5,5,5,1\n", CsvFormat::bitfinex).column,
                ElementsAre(0, 1, 3, 4, 2, 5));
    EXPECT_THAT(refusal([] { layout_of("1,5,5,5,5,1\n", CsvFormat::csv); }),
                HasSubstr("expected a header line that names the columns, found a row of numbers"));
}

TEST(CsvColumns, InAnotherLanguageAreRefusedWithTheirHeader)
{
    EXPECT_THAT(
        refusal([] { layout_of("Zeit,Auf,Hoch,Tief,Zu\n1,1,1,1,1\n"); }),
        HasSubstr(
            "found 'Zeit,Auf,Hoch,Tief,Zu'. To fix: name the columns in order with --columns"));
}

}  // namespace
}  // namespace barsweep::bars
