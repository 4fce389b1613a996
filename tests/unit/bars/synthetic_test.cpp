#include "bars/synthetic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support.hpp"

namespace barsweep::bars {
namespace {

constexpr std::array kinds{SyntheticKind::walk, SyntheticKind::trend, SyntheticKind::sine,
                           SyntheticKind::ou};

SyntheticOptions of(SyntheticKind kind, std::int64_t bars = 5'000, std::uint64_t seed = 1)
{
    SyntheticOptions options;
    options.kind = kind;
    options.bars = bars;
    options.seed = seed;
    return options;
}

TEST(Synthetic, BarsAreBars)
{
    for (const auto kind : kinds) {
        const auto series = synthesize(of(kind));
        ASSERT_EQ(series.size(), 5'000u);
        for (std::size_t i = 0; i < series.size(); ++i) {
            const auto& [open, high, low, close] = series.ohlc[i];
            ASSERT_GE(high, std::max(open, close));
            ASSERT_LE(low, std::min(open, close));
            ASSERT_GT(low, 0);
            ASSERT_GT(series.volume[i], 0);
            ASSERT_EQ(series.time[i],
                      series.time[0] + static_cast<Nanoseconds>(i) * series.interval);
        }
    }
}

TEST(Synthetic, TheSameSeedGivesTheSameBytesAndAnotherGivesOthers)
{
    for (const auto kind : kinds) {
        EXPECT_EQ(canonical_sha256(synthesize(of(kind))), canonical_sha256(synthesize(of(kind))));
        EXPECT_NE(canonical_sha256(synthesize(of(kind))),
                  canonical_sha256(synthesize(of(kind, 5'000, 2))));
    }
}

TEST(Synthetic, MoreBarsBeginWithTheSameOnes)
{
    const auto few = synthesize(of(SyntheticKind::ou, 100)),
               many = synthesize(of(SyntheticKind::ou, 200));
    EXPECT_TRUE(std::equal(few.ohlc.begin(), few.ohlc.end(), many.ohlc.begin()));
}

TEST(Synthetic, AWalkHasTheVolatilityAskedForAndNoDrift)
{
    const auto series = synthesize(of(SyntheticKind::walk, 50'000));
    double sum = 0, squares = 0;
    const auto n = static_cast<double>(series.size() - 1);
    for (std::size_t i = 1; i < series.size(); ++i) {
        const double r = std::log(static_cast<double>(series.ohlc[i][3]) /
                                  static_cast<double>(series.ohlc[i - 1][3]));
        sum += r;
        squares += r * r;
    }
    EXPECT_NEAR(std::sqrt(squares / n), 0.001, 0.00002);
    EXPECT_NEAR(sum / n, 0, 4 * 0.001 / std::sqrt(n));
}

TEST(Synthetic, ATrendRisesASineReturnsAndOuStaysNear)
{
    const auto trend = synthesize(of(SyntheticKind::trend, 50'000));
    EXPECT_GT(trend.ohlc.back()[3], 10 * trend.ohlc.front()[0]);
    auto options = of(SyntheticKind::sine, 240);
    options.volatility = 0;
    const auto sine = synthesize(options);
    EXPECT_EQ(sine.ohlc[59][3], 1'020'000);  // a quarter period: 100 * 1.02
    EXPECT_EQ(sine.ohlc[179][3], 980'000);
    EXPECT_EQ(sine.ohlc[239][3], 1'000'000);
    for (const auto& bar : synthesize(of(SyntheticKind::ou, 50'000)).ohlc)
        ASSERT_NEAR(static_cast<double>(bar[3]), 1e6, 1e5);
}

TEST(Synthetic, TheCsvImportsToTheSameBars)
{
    const Folder folder;
    for (const auto kind : kinds) {
        const auto series = synthesize(of(kind, 500));
        write_csv(folder / "synth.csv", series);
        const auto import = import_csv({folder / "synth.csv"}, {});
        EXPECT_EQ(canonical_sha256(import.series), canonical_sha256(series));
        EXPECT_EQ(import.series.volume, series.volume);
        EXPECT_TRUE(import.info.findings.empty());
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "synth.csv.part"));
}

TEST(Synthetic, SaysWhereItCantWrite)
{
    const Folder folder;
    EXPECT_THAT(refusal([&] {
                    write_csv(folder / "none/synth.csv", synthesize(of(SyntheticKind::walk, 1)));
                }),
                testing::HasSubstr(
                    "expected a place that can be written, found No such file or directory"));
}

}  // namespace
}  // namespace barsweep::bars
