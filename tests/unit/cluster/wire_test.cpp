#include "cluster/wire.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace barsweep::cluster {
namespace {

template <typename T>
T there_and_back(const T& message)
{
    return std::get<T>(from_line(to_line(message)));
}

double random_double(RandomStream& random)
{
    for (;;)
        if (const auto value = std::bit_cast<double>(random.next_u64()); std::isfinite(value))
            return value;
}

TEST(Wire, DoublesKeepEveryBit)
{
    RandomStream random{5, Purpose::synthetic_bars};
    for (int i = 0; i < 20'000; ++i) {
        search::Report report;
        report.score = random_double(random);
        report.seconds = random_double(random);
        report.metrics["m"] = random_double(random);
        const auto back = there_and_back(report);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(back.score),
                  std::bit_cast<std::uint64_t>(report.score));
        ASSERT_EQ(back.seconds, report.seconds);
        ASSERT_EQ(back.metrics, report.metrics);
    }
}

TEST(Wire, ZerosDenormalsNanAndInfinitiesArriveAsTheyAre)
{
    using limits = std::numeric_limits<double>;
    for (const double score : {-0.0, 0.0, limits::denorm_min(), limits::max(), -limits::max(),
                               limits::infinity(), -limits::infinity()}) {
        search::Report report;
        report.score = score;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(there_and_back(report).score),
                  std::bit_cast<std::uint64_t>(score));
    }
    search::Report report;
    report.score = limits::quiet_NaN();
    EXPECT_NE(to_line(report).find("\"score\":null"), std::string::npos);
    EXPECT_TRUE(std::isnan(there_and_back(report).score));
}

TEST(Wire, AReportKeepsEveryField)
{
    const search::Report report{.trial = 1234567890123,
                                .rung = 2,
                                .score = 0.1,
                                .reason = "two\nlines",
                                .failure = "a \"quoted\" word, ümläut",
                                .metrics = {{"sharpe", 0.1}, {"trades", 17}},
                                .seconds = 1.5,
                                .rank = 3,
                                .device = "cpu"};
    const auto line = to_line(report);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto back = there_and_back(report);
    EXPECT_EQ(back.trial, report.trial);
    EXPECT_EQ(back.rung, report.rung);
    EXPECT_EQ(back.score, report.score);
    EXPECT_EQ(back.reason, report.reason);
    EXPECT_EQ(back.failure, report.failure);
    EXPECT_EQ(back.metrics, report.metrics);
    EXPECT_EQ(back.seconds, report.seconds);
    EXPECT_EQ(back.rank, report.rank);
    EXPECT_EQ(back.device, report.device);
}

TEST(Wire, ParametersKeepTheirTypes)
{
    const Task task{5,
                    1,
                    {42,
                     {{"a", 3.0},
                      {"b", std::int64_t{3}},
                      {"c", std::string{"3"}},
                      {"d", 1e20},
                      {"e", std::numeric_limits<std::int64_t>::min()},
                      {"f", std::numeric_limits<std::int64_t>::max()}}}};
    const auto back = there_and_back(task);
    EXPECT_EQ(back.slot, 5);
    EXPECT_EQ(back.rung, 1);
    EXPECT_EQ(back.trial.number, 42);
    EXPECT_EQ(back.trial.params, task.trial.params);
}

TEST(Wire, TheOtherMessagesArriveWhole)
{
    EXPECT_EQ(there_and_back(Join{5}).capacity, 5);
    EXPECT_EQ(there_and_back(StopRequest{15}).signal, 15);
    EXPECT_EQ(there_and_back(Bye{"no threads"}).why, "no threads");
    EXPECT_EQ(there_and_back(Home{Ending::timeout}).ending, Ending::timeout);
    EXPECT_EQ(there_and_back(Home{Ending::stopped}).ending, Ending::stopped);
    EXPECT_EQ(there_and_back(Start{"{\"data.bars\":3}"}).study, "{\"data.bars\":3}");
    there_and_back(Alive{});
}

TEST(Wire, BytesThatArentTextAreReplacedNotThrown)
{
    const Bye bye{"bad \xff byte"};
    EXPECT_EQ(there_and_back(bye).why, "bad \xEF\xBF\xBD byte");
    EXPECT_EQ(valid_utf8(bye.why), "bad \xEF\xBF\xBD byte");
}

TEST(Wire, RefusesALineOfAnotherBuildAndQuotesIt)
{
    for (const char* line : {"", "{", "[]", R"({"kind":"dance"})", R"({"kind":"join"})",
                             R"({"kind":"task","slot":"a"})"}) {
        try {
            from_line(line);
            ADD_FAILURE() << line;
        } catch (const std::runtime_error& error) {
            EXPECT_NE(std::string{error.what()}.find(line), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace barsweep::cluster
