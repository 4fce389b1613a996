#include "bars/import_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace barsweep::bars {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Nanoseconds second = 1'000'000'000;

/// Line 4 repeats line 3, line 6 contradicts line 5, line 8 steps back.
constexpr const char* three_faults =
    "t,o,h,l,c\n0,1,1,1,1\n60,2,2,2,2\n60,2,2,2.0,2\n120,3,3,3,3\n120,4,4,4,4\n240,5,5,5,5\n180,6,"
    "6,6,6\n";

ImportOptions with(Duplicates duplicates, bool sort)
{
    ImportOptions options;
    options.duplicates = duplicates;
    options.sort = sort;
    return options;
}

TEST(ImportOrder, NamesAllThreeKindsOfFaultWithTheirLines)
{
    EXPECT_THAT(
        refusal([] { import_text(three_faults); }),
        AllOf(HasSubstr("1 repeated time (first: line 4, 1970-01-01T00:01:00Z)"),
              HasSubstr("1 repeated time with other values (first: line 6, 1970-01-01T00:02:00Z)"),
              HasSubstr("1 step back (first: line 8, 1970-01-01T00:03:00Z)"),
              HasSubstr("--duplicates first or last"), HasSubstr("--sort")));
}

TEST(ImportOrder, APolicyForOneFaultDoesNotExcuseTheOther)
{
    EXPECT_THAT(refusal([] { import_text(three_faults, with(Duplicates::first, false)); }),
                AllOf(HasSubstr("1 step back"), Not(HasSubstr("or last"))));
    EXPECT_THAT(refusal([] { import_text(three_faults, with(Duplicates::error, true)); }),
                AllOf(HasSubstr("--duplicates first or last"), Not(HasSubstr("--sort"))));
}

TEST(ImportOrder, KeepsTheFirstOrTheLastOfEachTime)
{
    const auto first = import_text(three_faults, with(Duplicates::first, true));
    EXPECT_THAT(first.series.time,
                ElementsAre(0, 60 * second, 120 * second, 180 * second, 240 * second));
    EXPECT_EQ(first.series.ohlc[2][0], 3);
    EXPECT_EQ(first.series.ohlc[3][0], 6);
    EXPECT_EQ(import_text(three_faults, with(Duplicates::last, true)).series.ohlc[2][0], 4);
}

TEST(ImportOrder, CountsWhatItDidInTheFindings)
{
    const auto findings = import_text(three_faults, with(Duplicates::first, true)).info.findings;
    EXPECT_EQ(findings.at("duplicate").count, 1);
    EXPECT_EQ(findings.at("duplicate").first[0].what,
              "1970-01-01T00:01:00Z is also the time of line 3");
    EXPECT_EQ(findings.at("conflicting_duplicate").first[0].line, 6);
    EXPECT_EQ(findings.at("backward_step").first[0].line, 8);
}

TEST(ImportOrder, RepeatedBlocksNeedNoSorting)
{
    const auto* text = "t,o,h,l,c\n0,1,1,1,1\n60,2,2,2,2\n0,1,1,1,1\n60,2,2,2,2\n120,3,3,3,3\n";
    const auto import = import_text(text, with(Duplicates::first, false));
    EXPECT_EQ(import.series.size(), 3u);
    EXPECT_EQ(import.info.findings.at("backward_step").count, 1);
    EXPECT_EQ(import.info.findings.at("duplicate").count, 2);
}

TEST(ImportOrder, SortsNewestFirstFiles)
{
    const auto* text = "t,o,h,l,c\n120,3,3,3,3\n60,2,2,2,2\n0,1,1,1,1\n";
    const auto import = import_text(text, with(Duplicates::error, true));
    EXPECT_THAT(import.series.time, ElementsAre(0, 60 * second, 120 * second));
    EXPECT_EQ(import.info.findings.at("backward_step").count, 2);
}

TEST(ImportOrder, PointsToSummerTimeWhereAnHourStandsTwice)
{
    EXPECT_THAT(refusal([] {
                    import_text(
                        "t,o,h,l,c\n2023-11-05 01:00,1,1,1,1\n2023-11-05 01:30,2,2,2,2\n"
                        "2023-11-05 01:00,3,3,3,3\n2023-11-05 01:30,4,4,4,4\n");
                }),
                AllOf(HasSubstr("1 step back (first: line 4, 2023-11-05T01:00:00Z)"),
                      HasSubstr("convert local times of a zone with summer time to UTC first")));
}

}  // namespace
}  // namespace barsweep::bars
