#include "search/replicates.hpp"

#include <gmock/gmock.h>

#include <cmath>

using namespace barsweep::search;

namespace {

std::vector<Report> scores(const std::vector<double>& values)
{
    std::vector<Report> reports;
    for (const double value : values) {
        Report report;
        report.score = value;
        report.reason = std::isfinite(value) ? "" : "few trades";
        report.replicate = static_cast<int>(reports.size());
        report.seconds = 2;
        reports.push_back(report);
    }
    return reports;
}

}  // namespace

TEST(Replicates, OneIsItself)
{
    EXPECT_EQ(together(scores({3}), ReplicateScore::mean_less_se, Direction::maximize).score, 3);
}

TEST(Replicates, TheMeanOrThatLessItsStandardErrorOnTheWorseSide)
{
    const auto reports = scores({1, 2, 6});  // mean 3, deviation sqrt(7), error sqrt(7 / 3)
    const double error = std::sqrt(7.0 / 3);
    EXPECT_EQ(together(reports, ReplicateScore::mean, Direction::maximize).score, 3);
    EXPECT_DOUBLE_EQ(together(reports, ReplicateScore::mean_less_se, Direction::maximize).score,
                     3 - error);
    EXPECT_DOUBLE_EQ(together(reports, ReplicateScore::mean_less_se, Direction::minimize).score,
                     3 + error);
    EXPECT_EQ(together(reports, ReplicateScore::mean, Direction::maximize).seconds, 6);
}

TEST(Replicates, OneWithoutAScoreOrThatFailsSpeaksForAll)
{
    auto reports = scores({1, std::nan(""), 6});
    auto whole = together(reports, ReplicateScore::mean_less_se, Direction::maximize);
    EXPECT_TRUE(std::isnan(whole.score));
    EXPECT_EQ(whole.reason, "replicate 1: few trades");
    EXPECT_EQ(whole.failure, "");
    reports[2].failure = "diverged";
    whole = together(reports, ReplicateScore::mean, Direction::maximize);
    EXPECT_EQ(whole.failure, "replicate 2: diverged");
}
