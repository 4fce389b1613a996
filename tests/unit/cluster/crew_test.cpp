#include "cluster/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <set>
#include <stdexcept>

namespace barsweep::cluster {
namespace {

using namespace std::chrono_literals;

Task task(std::int64_t trial)
{
    return {0, 1, {trial, {}}};
}

search::Report scored(double score)
{
    search::Report report;
    report.score = score;
    return report;
}

search::Report report_of(const RunTask& run)
{
    Crew crew{1, 3, run};
    crew.push(task(9));
    return crew.pop(30s).value();
}

TEST(Crew, ComputesEveryTaskOnceOnAnyNumberOfThreads)
{
    for (const int threads : {1, 2, 4}) {
        Crew crew{threads, 0, [](const Task& given) {
                      return scored(static_cast<double>(given.trial.number));
                  }};
        for (int i = 0; i < 500; ++i) crew.push(task(i));
        std::set<std::int64_t> seen;
        for (int i = 0; i < 500; ++i) {
            const auto report = crew.pop(30s);
            ASSERT_TRUE(report);
            EXPECT_EQ(report->score, static_cast<double>(report->trial));
            seen.insert(report->trial);
        }
        EXPECT_EQ(seen.size(), 500U);
        EXPECT_FALSE(crew.pop(0us));
    }
}

TEST(Crew, FillsInTrialRungAndRank)
{
    const auto report = report_of([](const Task&) { return scored(2); });
    EXPECT_EQ(report.trial, 9);
    EXPECT_EQ(report.rung, 1);
    EXPECT_EQ(report.rank, 3);
    EXPECT_EQ(report.score, 2);
    EXPECT_EQ(report.failure, "");
}

TEST(Crew, WhatATaskThrowsIsItsFailure)
{
    EXPECT_EQ(report_of([](const Task&) -> search::Report {
                  throw std::runtime_error("lost its mind at bar 3");
              }).failure,
              "lost its mind at bar 3");
    EXPECT_EQ(report_of([](const Task&) -> search::Report { throw std::bad_alloc(); }).failure,
              "out of memory");
    EXPECT_EQ(report_of([](const Task&) -> search::Report { throw 7; }).failure,
              "an exception of unknown type");
    EXPECT_EQ(
        report_of([](const Task&) -> search::Report { throw std::runtime_error(""); }).failure,
        "an exception without a text");
}

TEST(Crew, TextThatIsNotUtf8IsTheSameOnEveryRank)
{
    EXPECT_EQ(
        report_of([](const Task&) -> search::Report { throw std::runtime_error("\xff"); }).failure,
        "\xEF\xBF\xBD");
}

TEST(Crew, GoesOnAfterAFailure)
{
    Crew crew{1, 0, [](const Task& given) -> search::Report {
                  if (given.trial.number == 0) throw std::runtime_error("no");
                  return {};
              }};
    crew.push(task(0));
    crew.push(task(1));
    EXPECT_EQ(crew.pop(30s).value().failure, "no");
    EXPECT_EQ(crew.pop(30s).value().failure, "");
}

TEST(Crew, EndsAfterTheRunningTaskAndDropsTheWaitingOnes)
{
    std::atomic<int> started = 0;
    {
        Crew crew{1, 0, [&](const Task&) {
                      ++started;
                      std::this_thread::sleep_for(50ms);
                      return search::Report{};
                  }};
        for (int i = 0; i < 1000; ++i) crew.push(task(i));
        while (started == 0) std::this_thread::sleep_for(1ms);
    }
    EXPECT_LT(started, 1000);
}

TEST(Crew, PopWaitsNoLongerThanAsked)
{
    Crew crew{1, 0, [](const Task&) { return search::Report{}; }};
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(crew.pop(20ms));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 20ms);
}

}  // namespace
}  // namespace barsweep::cluster
