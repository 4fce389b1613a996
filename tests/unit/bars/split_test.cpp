#include "bars/split.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace barsweep::bars {
namespace {

using testing::HasSubstr;

constexpr Nanoseconds day = 86'400'000'000'000;

/// Daily bars from 2015-01-01.
BarSeries daily(std::int64_t count)
{
    BarSeries series;
    for (std::int64_t i = 0; i < count; ++i)
        series.time.push_back(1'420'070'400'000'000'000 + i * day);
    return series;
}

SplitOptions with(const char* train, const char* validation, const char* test)
{
    SplitOptions options;
    options.train = train;
    options.validation = validation;
    options.test = test;
    return options;
}

std::string refuse(std::int64_t rows, const SplitOptions& options)
{
    return refusal([&] { split_windows(daily(rows), options); });
}

TEST(Split, SharesTileTheRowsAfterWarmUp)
{
    SplitOptions options;
    options.warmup = 240;
    const auto split = split_windows(daily(1240), options);
    EXPECT_EQ(split.train, (Window{240, 839}));
    EXPECT_EQ(split.validation, (Window{840, 1039}));
    EXPECT_EQ(split.test, (Window{1040, 1239}));
    EXPECT_EQ(split.train.decisions(), 599);
}

TEST(Split, SharesAreExactOnAnyNumberOfRows)
{
    for (std::int64_t rows = 20; rows < 400; ++rows) {
        const auto split = split_windows(daily(rows), with("0.7", "0.2", "0.1"));
        EXPECT_EQ(split.train.bars(), rows * 7 / 10);
        EXPECT_EQ(split.validation.first, split.train.last + 1);
        EXPECT_EQ(split.test.first, split.validation.last + 1);
        EXPECT_EQ(split.test.last, rows - 1);
    }
}

TEST(Split, PurgeAndEmbargoPartTrainingFromValidation)
{
    SplitOptions options;
    options.purge = 5;
    options.embargo = 3;
    const auto split = split_windows(daily(100), options);
    EXPECT_EQ(split.validation, (Window{63, 79}));  // 60..62 are left out
    EXPECT_EQ(split.train, (Window{0, 57}));        // the last decision, 56, reaches to 62 at most
    EXPECT_EQ(split.test, (Window{80, 99}));
}

TEST(Split, PurgeDropsTheDecisionsThatReachIntoValidation)
{
    SplitOptions options;
    options.purge = 10;
    const auto split = split_windows(daily(100), options);
    EXPECT_EQ(split.train.last, 49);
    EXPECT_LT(split.train.last - 1 + options.purge, split.validation.first);
}

TEST(Split, DatesIncludeTheWholeLastDay)
{
    const auto split =
        split_windows(daily(100), with("2015-01-01..2015-01-31", "2015-02-01..2015-02-28",
                                       "2015-03-01..2015-03-31T00:00:00Z"));
    EXPECT_EQ(split.train, (Window{0, 30}));
    EXPECT_EQ(split.validation, (Window{31, 58}));
    EXPECT_EQ(split.test, (Window{59, 89}));
}

TEST(Split, DatesInTheWarmUpBeginBehindIt)
{
    auto options =
        with("2015-01-01..2015-01-31", "2015-02-01..2015-02-28", "2015-03-01..2015-03-31");
    options.warmup = 10;
    EXPECT_EQ(split_windows(daily(100), options).train, (Window{10, 30}));
}

TEST(Split, RefusesSharesThatAreNone)
{
    for (const auto* share : {"0", "1", "-0.2", "1.5", "half", "", "nan"})
        EXPECT_THAT(refuse(100, with("0.6", share, "0.1")),
                    HasSubstr("[data] validation: expected a share between 0 and 1"));
}

TEST(Split, RefusesSharesThatPassOneTogether)
{
    EXPECT_THAT(
        refuse(100, with("0.6", "0.2", "0.21")),
        HasSubstr("[data] test: expected shares that make at most 1 together, found '0.21'"));
}

TEST(Split, RefusesAWindowUnderTwoBars)
{
    EXPECT_THAT(
        refuse(10, with("0.8", "0.1", "0.1")),
        HasSubstr("[data] validation: expected a window of at least 2 of the store's 10 bars"));
    auto options = with("0.6", "0.2", "0.2");
    options.purge = 60;
    EXPECT_THAT(refuse(100, options), HasSubstr("[data] train: expected a window of at least 2"));
    options = with("0.6", "0.2", "0.2");
    options.warmup = 240;
    EXPECT_THAT(refuse(100, options), HasSubstr("[data] train"));
}

TEST(Split, RefusesDatesOutsideTheStore)
{
    EXPECT_THAT(
        refuse(100,
               with("2014-12-31..2015-01-31", "2015-02-01..2015-02-28", "2015-03-01..2015-03-31")),
        HasSubstr(
            "[data] train: expected dates inside the store's 2015-01-01T00:00:00Z to 2015-04-10"));
    EXPECT_THAT(refuse(100, with("2015-01-01..2015-01-31", "2015-02-01..2015-02-28",
                                 "2015-03-01..2015-12-31")),
                HasSubstr("[data] test"));
}

TEST(Split, RefusesWindowsThatOverlapOrStandInAnotherOrder)
{
    EXPECT_THAT(refuse(100, with("2015-01-01..2015-02-01", "2015-02-01..2015-02-28",
                                 "2015-03-01..2015-03-31")),
                HasSubstr("[data] validation: expected a window after the training window"));
    EXPECT_THAT(refuse(100, with("2015-01-01..2015-01-31", "2015-03-01..2015-03-31",
                                 "2015-02-01..2015-02-28")),
                HasSubstr("[data] test: expected a window after the validation window"));
}

TEST(Split, RefusesDatesBesideShares)
{
    EXPECT_THAT(
        refuse(100, with("2015-01-01..2015-01-31", "0.2", "0.2")),
        HasSubstr("[data] validation: expected dates as the other windows have, found '0.2'"));
}

TEST(Split, RefusesNegativePurgeAndEmbargo)
{
    SplitOptions options;
    options.purge = -1;
    EXPECT_THAT(refuse(100, options), HasSubstr("[data] purge: expected 0 bars or more, found -1"));
    options.purge = 0;
    options.embargo = -1;
    EXPECT_THAT(refuse(100, options), HasSubstr("[data] embargo"));
}

}  // namespace
}  // namespace barsweep::bars
