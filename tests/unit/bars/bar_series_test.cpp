#include "bars/bar_series.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bars/gaps.hpp"
#include "bars/sha256.hpp"

namespace barsweep::bars {
namespace {

constexpr Nanoseconds minute = 60'000'000'000;

BarSeries closes(const std::vector<std::int64_t>& values)
{
    BarSeries series;
    series.price_decimals = 2;
    for (std::size_t i = 0; i < values.size(); ++i) {
        series.time.push_back(static_cast<Nanoseconds>(i) * minute);
        series.ohlc.push_back({values[i], values[i], values[i], values[i]});
        series.volume.push_back(0);
    }
    series.interval = commonest_step(series.time);
    return series;
}

TEST(BarSeries, SigmaIsTheHandWorkedAverageOfSquaredReturns)
{
    auto series = closes({100, 110, 110, 99});
    compute_sigma(series);
    const double k = 2.0 / 101, a = std::log(1.1), b = std::log(0.9);
    EXPECT_EQ(series.sigma[0], 0);
    EXPECT_EQ(series.sigma[1], 95'310'180);  // ln 1.1 = 0.0953101798
    EXPECT_EQ(series.sigma[2], std::llrint(std::sqrt((1 - k) * a * a) * 1e9));
    EXPECT_EQ(series.sigma[3], std::llrint(std::sqrt((1 - k) * (1 - k) * a * a + k * b * b) * 1e9));
}

TEST(BarSeries, SigmaTakesAStepFromOrToNoPriceAsNoReturn)
{
    auto series = closes({100, 0, -5, 100, 100});
    compute_sigma(series);
    for (const auto sigma : series.sigma) EXPECT_EQ(sigma, 0);
}

TEST(BarSeries, CanonicalSumIsThatOfItsLines)
{
    auto series = closes({10050, 7});
    Sha256 sum;
    sum.add("0,100.5,100.5,100.5,100.5\n60000000000,0.07,0.07,0.07,0.07\n");
    EXPECT_EQ(canonical_sha256(series), sum.hex());
}

TEST(BarSeries, CanonicalSumDoesNotDependOnTheScale)
{
    auto fine = closes({1005000, 700});
    fine.price_decimals = 4;
    EXPECT_EQ(canonical_sha256(fine), canonical_sha256(closes({10050, 7})));
}

TEST(BarSeries, Sha256HasItsPublishedValue)
{
    Sha256 sum;
    sum.add("a");
    sum.add("bc");
    EXPECT_EQ(sum.hex(),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-4
}

TEST(BarSeries, BarsAYearAreMeasuredOverTheWholeSpan)
{
    EXPECT_DOUBLE_EQ(measured_ppy(closes({1, 1, 1})), 365.25 * 1440);
    EXPECT_TRUE(std::isnan(measured_ppy(closes({1}))));
}

TEST(BarSeries, TheCommonestStepIsTheInterval)
{
    EXPECT_EQ(commonest_step({0, 60, 120, 300, 360, 540}), 60);
    EXPECT_EQ(commonest_step({0, 60, 180}), 60);
    EXPECT_EQ(commonest_step({0}), 0);
}

TEST(BarSeries, CountsTheBarsThatWouldFitIntoAGap)
{
    EXPECT_EQ(bars_between(0, 60, 60), 0);
    EXPECT_EQ(bars_between(0, 120, 60), 1);
    EXPECT_EQ(bars_between(0, 90, 60), 1);
    EXPECT_EQ(bars_between(0, 30, 60), 0);
}

}  // namespace
}  // namespace barsweep::bars
