#include "base/time.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace barsweep {
namespace {

constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds hour = 3'600 * second;
constexpr Nanoseconds noon = 1'709'985'600 * second;  // 2024-03-09T12:00:00Z

TEST(Time, ReadsIsoWithBlankOrT)
{
    EXPECT_EQ(parse_timestamp("2024-03-09T12:00:00Z"), noon);
    EXPECT_EQ(parse_timestamp("2024-03-09 12:00:00"), noon);
    EXPECT_EQ(parse_timestamp("2024-03-09 12:00"), noon);
    EXPECT_EQ(parse_timestamp("2024/03/09 12:00"), noon);
    EXPECT_EQ(parse_timestamp("2024-03-09"), noon - 12 * hour);
    EXPECT_EQ(parse_timestamp("2024-03-09T12:00:00.123456789Z"), noon + 123'456'789);
    EXPECT_EQ(parse_timestamp("2024-03-09T12:00:00.5"), noon + second / 2);
}

TEST(Time, TakesTheOffsetThatTheTextNames)
{
    EXPECT_EQ(parse_timestamp("2024-03-09 12:00:00+00:00"), noon);
    EXPECT_EQ(parse_timestamp("2024-03-09 07:00:00-05:00"), noon);
    EXPECT_EQ(parse_timestamp("2024-03-09 17:30:00+0530"), noon);
    EXPECT_EQ(parse_timestamp("2024-03-09 07:00:00-05:00", 2 * hour), noon);
}

TEST(Time, TakesTheGivenOffsetOffNaiveTimesOnly)
{
    EXPECT_EQ(parse_timestamp("2024-03-09 07:00:00", -5 * hour), noon);
    EXPECT_EQ(parse_timestamp("2024-03-09T12:00:00Z", -5 * hour), noon);
    EXPECT_EQ(parse_timestamp("1709985600", -5 * hour), noon);
    EXPECT_EQ(parse_timestamp("09.03.2024 14:00:00.000", 2 * hour), noon);
}

TEST(Time, TellsTheUnitOfACountByItsSize)
{
    EXPECT_EQ(parse_timestamp("1709985600"), noon);
    EXPECT_EQ(parse_timestamp("1709985600000"), noon);
    EXPECT_EQ(parse_timestamp("1709985600000000"), noon);
    EXPECT_EQ(parse_timestamp("1709985600000000000"), noon);
    EXPECT_EQ(parse_timestamp("1709985600.25"), noon + second / 4);
    EXPECT_EQ(parse_timestamp("0"), 0);
    EXPECT_EQ(parse_timestamp("-86400"), -24 * hour);
}

TEST(Time, ReadsTheDayFirstWherePointsSaySo)
{
    EXPECT_EQ(parse_timestamp("09.03.2024 12:00:00.000"), noon);
    EXPECT_EQ(parse_timestamp("09.03.2024"), noon - 12 * hour);
    EXPECT_FALSE(parse_timestamp("03/09/2024 12:00:00"));  // March or September
}

TEST(Time, ReadsEightDigitsAsADate)
{
    EXPECT_EQ(parse_timestamp("20240309"), noon - 12 * hour);
}

TEST(Time, ReadsTwelveHourClocks)
{
    EXPECT_EQ(parse_timestamp("2024-03-09 12-PM"), noon);
    EXPECT_EQ(parse_timestamp("2024-03-09 12-AM"), noon - 12 * hour);
    EXPECT_EQ(parse_timestamp("2024-03-09 01-pm"), noon + hour);
    EXPECT_FALSE(parse_timestamp("2024-03-09 13-PM"));
}

TEST(Time, RefusesWhatIsNoTime)
{
    for (const auto* text : {"",
                             "yesterday",
                             "2024-02-30",
                             "2023-02-29",
                             "2024-13-01",
                             "2024-00-10",
                             "2024-03-09T24:00:00",
                             "2024-03-09T12:60:00",
                             "2024-03-09T12:00:60",
                             "2024-03-09T12:00:00+25:00",
                             "2024-03-09T12:00:00.",
                             "2024-03-09T12",
                             "2024-03-09T12:00:00ZZ",
                             "2024-03-09X12:00:00",
                             "2024-3-9",
                             "31.04.2024",
                             "nan",
                             "99999999999999999999",
                             "1600-01-01",
                             "2024-03-09T12:00:00.1234567891"})
        EXPECT_FALSE(parse_timestamp(text)) << text;
}

TEST(Time, KnowsLeapYears)
{
    EXPECT_TRUE(parse_timestamp("2024-02-29"));
    EXPECT_TRUE(parse_timestamp("2000-02-29"));
    EXPECT_FALSE(parse_timestamp("1900-02-29"));
}

TEST(Time, DoesNotDependOnTheHostsZone)
{
    for (const auto* zone : {"UTC", "America/New_York", "Asia/Tokyo"}) {
        setenv("TZ", zone, 1);
        tzset();
        EXPECT_EQ(parse_timestamp("2023-11-05 05:00:00"), 1'699'160'400 * second) << zone;
        EXPECT_EQ(to_iso8601(1'699'160'400 * second), "2023-11-05T05:00:00Z") << zone;
    }
    unsetenv("TZ");
    tzset();
}

TEST(Time, PrintsIsoWithAsManyDigitsAsNeeded)
{
    EXPECT_EQ(to_iso8601(noon), "2024-03-09T12:00:00Z");
    EXPECT_EQ(to_iso8601(noon + second / 2), "2024-03-09T12:00:00.5Z");
    EXPECT_EQ(to_iso8601(noon + 1), "2024-03-09T12:00:00.000000001Z");
    EXPECT_EQ(to_iso8601(0), "1970-01-01T00:00:00Z");
    EXPECT_EQ(to_iso8601(-1), "1969-12-31T23:59:59.999999999Z");
}

TEST(Time, ReadsBackEveryDayItPrints)
{
    for (Nanoseconds time = -290LL * 365 * 24 * hour; time < 290LL * 365 * 24 * hour;
         time += 17 * 24 * hour + 12'345'678'901)
        EXPECT_EQ(parse_instant(to_iso8601(time)), time);
}

TEST(Time, ReadsDurations)
{
    EXPECT_EQ(parse_duration("2h"), 2 * hour);
    EXPECT_EQ(parse_duration("90s"), 90 * second);
    EXPECT_EQ(parse_duration("15m"), hour / 4);
    EXPECT_EQ(parse_duration("1d"), 24 * hour);
    EXPECT_EQ(parse_duration("250ms"), second / 4);
    EXPECT_EQ(parse_duration("1.5h"), 3 * hour / 2);
    for (const auto* text : {"", "2", "h", "2 h", "-2h", "2weeks", "2h30m", "99999999d"})
        EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Time, ReadsFixedZonesAndNoNamedOnes)
{
    EXPECT_EQ(parse_zone("UTC"), 0);
    EXPECT_EQ(parse_zone("UTC-5"), -5 * hour);
    EXPECT_EQ(parse_zone("+02:00"), 2 * hour);
    EXPECT_EQ(parse_zone("GMT+0530"), 5 * hour + hour / 2);
    EXPECT_FALSE(parse_zone("America/New_York"));
    EXPECT_FALSE(parse_zone("EST"));
    EXPECT_FALSE(parse_zone(""));
}

}  // namespace
}  // namespace barsweep
