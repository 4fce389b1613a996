// Worked by hand, by property, and against a second opinion (tests/support/features_numpy.py,
// TA-Lib).
#include "bars/features.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>

#include "bars/features_rows.hpp"
#include "bars/synthetic.hpp"
#include "support.hpp"

namespace barsweep::bars {
namespace {

constexpr Nanoseconds minute = 60'000'000'000;

int column(const std::string& name)
{
    for (int i = 0; i < feature_count; ++i)
        if (feature_names[static_cast<std::size_t>(i)] == name) return i;
    ADD_FAILURE() << name << " is no feature";
    return 0;
}

/// Bars of one price each, a minute apart, volume 1.
BarSeries bars_of(const std::vector<std::int64_t>& closes)
{
    BarSeries series;
    for (std::size_t t = 0; t < closes.size(); ++t) {
        series.time.push_back(static_cast<Nanoseconds>(t) * minute);
        series.ohlc.push_back({closes[t], closes[t], closes[t], closes[t]});
        series.volume.push_back(1);
    }
    return series;
}

BarSeries synthetic(std::int64_t bars, SyntheticKind kind = SyntheticKind::walk)
{
    SyntheticOptions options;
    options.bars = bars;
    options.kind = kind;
    return synthesize(options);
}

double value(const BarSeries& series, std::size_t row, const std::string& name)
{
    return feature_rows<double>(
        series)[row * feature_count + static_cast<std::size_t>(column(name))];
}

TEST(Features, ReturnsAreLogsOfClosesAndWaitForTheirRows)
{
    const auto series = bars_of({100, 200, 100, 400});
    EXPECT_EQ(value(series, 0, "ret_1"), 0);
    EXPECT_DOUBLE_EQ(value(series, 1, "ret_1"), std::log(2.0));
    EXPECT_EQ(value(series, 1, "ret_2"), 0);
    EXPECT_DOUBLE_EQ(value(series, 3, "ret_2"), std::log(2.0));
    EXPECT_DOUBLE_EQ(value(series, 3, "ret_3"), std::log(4.0));
}

TEST(Features, DeviationOfElevenCloses)
{
    // Returns +a -a ... ten of them, mean 0: sum of squares 10 a^2 over 9.
    std::vector<std::int64_t> closes;
    for (int t = 0; t < 11; ++t) closes.push_back(t % 2 == 0 ? 100 : 110);
    EXPECT_EQ(value(bars_of(closes), 9, "sd_10"), 0);
    EXPECT_NEAR(value(bars_of(closes), 10, "sd_10"), std::log(1.1) * std::sqrt(10.0 / 9), 1e-15);
}

TEST(Features, TheShapeOfABarIsInFractions)
{
    auto series = bars_of({100, 100});
    series.ohlc[1] = {100, 130, 90, 120};
    EXPECT_DOUBLE_EQ(value(series, 1, "range"), 40.0 / 120);
    EXPECT_DOUBLE_EQ(value(series, 1, "body"), 20.0 / 100);
    EXPECT_DOUBLE_EQ(value(series, 1, "upper_wick"), 10.0 / 120);
    EXPECT_DOUBLE_EQ(value(series, 1, "lower_wick"), 10.0 / 120);
}

TEST(Features, RisingClosesStandAtTheTopOfEveryRange)
{
    std::vector<std::int64_t> closes;
    for (int t = 0; t < 250; ++t) closes.push_back(1'000 + t);
    const auto series = bars_of(closes);
    for (const auto* name :
         {"stoch_14", "stoch_60", "donchian_20", "donchian_240", "rsi_7", "rsi_14", "rsi_28"})
        EXPECT_DOUBLE_EQ(value(series, 249, name), 1) << name;
    EXPECT_DOUBLE_EQ(value(series, 249, "sma_10"), 4.5 / 1244.5);
    EXPECT_DOUBLE_EQ(value(series, 249, "obv_slope_30"), 1);  // a volume of 1 more each bar
    EXPECT_NEAR(value(series, 249, "atr_14"), 1.0 / 1249, 1e-15);
    // Straight line: the deviation of 0..19 is sqrt(399/12), the last stands 9.5 above the mean.
    EXPECT_NEAR(value(series, 249, "bb_percent_20"), 0.5 + 9.5 / (4 * std::sqrt(399 / 12.0)),
                1e-14);
    EXPECT_NEAR(value(series, 249, "cci_20"), 9.5 / (0.015 * 5) / 100, 1e-14);
}

TEST(Features, RsiNeedsItsChangesAndIsOneSidedWithoutTheOther)
{
    const auto series = bars_of({10, 9, 8, 7, 6, 5, 4, 3, 3});
    EXPECT_EQ(value(series, 6, "rsi_7"), 0);
    EXPECT_EQ(value(series, 7, "rsi_7"), -1);
    EXPECT_EQ(value(series, 8, "rsi_7"), -1);  // a flat bar keeps Wilder's ratio
}

TEST(Features, VolumeAgainstItsOwnMean)
{
    auto series = bars_of(std::vector<std::int64_t>(30, 100));
    series.volume.assign(30, 0);
    series.volume_decimals = 2;
    series.volume[29] = 3'000;  // 30 base units: the mean of 1 + v is 2
    EXPECT_NEAR(value(series, 29, "volume_ratio_30"), std::log(31 / 2.0), 1e-15);
    EXPECT_NEAR(value(series, 29, "volume_z_30"), std::sqrt(29.0), 1e-13);
}

TEST(Features, VwapIsWeightedByVolume)
{
    auto series = bars_of(std::vector<std::int64_t>(60, 100));
    series.volume.assign(60, 0);
    series.ohlc[10] = {200, 200, 200, 200};
    series.volume[10] = 1;
    series.volume[20] = 3;  // (200 + 3 * 100) / 4
    EXPECT_NEAR(value(series, 59, "vwap_60"), 100 / 125.0 - 1, 1e-15);
}

TEST(Features, TheClockIsUtcAndTheWeekBeginsOnMonday)
{
    auto series = bars_of({100, 100, 100});
    constexpr auto hour = 60 * minute;
    series.time = {-3 * 24 * hour, 4 * 24 * hour + 6 * hour, 4 * 24 * hour + 6 * hour + minute / 2};
    EXPECT_EQ(value(series, 0, "week_sin"), 0);  // 1969-12-29, a Monday
    EXPECT_EQ(value(series, 0, "week_cos"), 1);
    EXPECT_EQ(value(series, 0, "gap_minutes"), 0);
    EXPECT_DOUBLE_EQ(value(series, 1, "day_sin"), 1);  // a Monday, 06:00
    EXPECT_DOUBLE_EQ(value(series, 1, "week_sin"), std::sin(2 * M_PI * 6 / 168));
    EXPECT_DOUBLE_EQ(value(series, 1, "gap_minutes"), std::log1p((7.0 * 24 + 6) * 60));
    EXPECT_DOUBLE_EQ(value(series, 2, "gap_minutes"), std::log(1.5));
}

TEST(Features, AnotherFutureChangesNoPastBit)
{
    const auto series = synthetic(2'000);
    const auto whole = compute_features(series);
    std::mt19937_64 random{20'240'404};
    for (int round = 0; round < 25; ++round) {
        const auto cut = std::uniform_int_distribution<std::size_t>{1, series.size() - 1}(random);
        auto other = series;
        for (auto t = cut; t < series.size(); ++t) {
            const auto low = std::uniform_int_distribution<std::int64_t>{1, 9'000'000}(random);
            other.ohlc[t] = {low + 1, low + 5, low, low + 4};
            other.volume[t] = low;
            other.time[t] += static_cast<Nanoseconds>(t) * minute;
        }
        auto changed = compute_features(other);
        EXPECT_NE(changed, whole);
        changed.resize(cut * feature_count);
        EXPECT_TRUE(std::equal(changed.begin(), changed.end(), whole.begin())) << cut;
    }
}

TEST(Features, ACutSeriesHasTheRowsOfTheWholeOne)
{
    const auto series = synthetic(600);
    const auto whole = compute_features(series);
    for (const std::size_t rows : {1, 2, 13, 26, 34, 240, 241, 599}) {
        auto cut = series;
        cut.time.resize(rows);
        cut.ohlc.resize(rows);
        cut.volume.resize(rows);
        const auto features = compute_features(cut);
        ASSERT_EQ(features.size(), rows * feature_count);
        EXPECT_TRUE(std::equal(features.begin(), features.end(), whole.begin())) << rows;
    }
}

TEST(Features, AreFiniteWhateverTheBars)
{
    const auto moving = synthetic(500);
    std::map<std::string, BarSeries> hard{{"flat", bars_of(std::vector<std::int64_t>(500, 7))},
                                          {"zero", bars_of(std::vector<std::int64_t>(500, 0))},
                                          {"no volume", moving},
                                          {"no range", moving},
                                          {"negative", moving},
                                          {"across zero", moving},
                                          {"huge", moving},
                                          {"flat, then not", moving}};
    std::ranges::fill(hard["no volume"].volume, 0);
    for (auto& bar : hard["no range"].ohlc) bar.fill(bar[3]);
    for (auto& [open, high, low, close] : hard["negative"].ohlc) {
        std::swap(high, low);
        for (auto* price : {&open, &high, &low, &close}) *price = -*price;
    }
    const auto middle = moving.ohlc[250][3];
    for (auto& bar : hard["across zero"].ohlc)
        for (auto& price : bar) price -= middle;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    for (std::size_t t = 0; t < 500; ++t) {
        hard["huge"].ohlc[t] = {0, most, -most, t % 3 == 0 ? most : -most};
        hard["huge"].volume[t] = most;
        if (t < 300) hard["flat, then not"].ohlc[t].fill(10'000);
    }
    for (const auto& [name, series] : hard) {
        const auto features = compute_features(series);
        const auto bad =
            std::ranges::find_if_not(features, [](float x) { return std::isfinite(x); });
        const auto at = static_cast<std::size_t>(bad - features.begin());
        EXPECT_EQ(bad, features.end())
            << name << ": " << feature_names[at % feature_count] << ", row " << at / feature_count;
    }
}

TEST(Features, AFlatStretchIsZeroButForTheClock)
{
    const auto features = compute_features(bars_of(std::vector<std::int64_t>(400, 12'345)));
    const auto clock = static_cast<std::size_t>(column("day_sin"));
    for (std::size_t t = 0; t < 400; ++t)
        for (std::size_t i = 0; i < clock; ++i)
            EXPECT_EQ(features[t * feature_count + i], 0) << feature_names[i] << ", row " << t;
}

/// Runs the second opinion over features in double, before they are stored as float.
void expect_second_opinion_agrees(const BarSeries& series)
{
    const char* given = std::getenv("BARSWEEP_PYTHON");
    const std::string python = given ? given : BARSWEEP_SOURCE_DIR "/.venv/bin/python";
    if (!std::filesystem::exists(python))
        GTEST_SKIP() << python << " is not here (BARSWEEP_PYTHON): scripts/setup makes it";

    const Folder folder;
    std::vector<std::int64_t> bars;
    for (std::size_t t = 0; t < series.size(); ++t) {
        bars.push_back(series.time[t]);
        bars.insert(bars.end(), series.ohlc[t].begin(), series.ohlc[t].end());
        bars.push_back(series.volume[t]);
    }
    const auto features = feature_rows<double>(series);
    const auto bytes = [](const auto& values) {
        return std::string_view{reinterpret_cast<const char*>(values.data()), values.size() * 8};
    };
    folder.write("bars.bin", bytes(bars));
    folder.write("features.bin", bytes(features));
    const auto command = "'" + python +
                         "' '" BARSWEEP_SOURCE_DIR "/tests/support/features_numpy.py' '" +
                         (folder / "").string() + "' " + std::to_string(series.volume_decimals) +
                         " >'" + (folder / "said").string() + "' 2>&1";
    const int status = std::system(command.c_str());
    const auto said = bytes_of(folder / "said");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << said;
    EXPECT_EQ(status, 0) << said;
}

TEST(FeaturesSecondOpinion, AgreesOnAWalk)
{
    expect_second_opinion_agrees(synthetic(5'000));
}

TEST(FeaturesSecondOpinion, AgreesOnFlatStretchesGapsAndBarsWithoutVolume)
{
    auto series = synthetic(3'000, SyntheticKind::ou);
    series.volume_decimals = 3;
    for (std::size_t t = 0; t < series.size(); ++t) {
        if (t % 700 > 400) series.ohlc[t] = series.ohlc[t / 700 * 700 + 400];
        if (t % 700 > 400) series.ohlc[t].fill(series.ohlc[t][3]);
        if (t % 500 > 200) series.volume[t] = t % 500 > 350 ? 17 : 0;
        series.time[t] += static_cast<Nanoseconds>(t / 90) * 37 * minute;
    }
    expect_second_opinion_agrees(series);
}

TEST(FeaturesSecondOpinion, AgreesBelowZero)
{
    auto series = synthetic(1'500);
    const auto middle = series.ohlc[700][3];
    for (auto& bar : series.ohlc)
        for (auto& price : bar) price -= middle;
    expect_second_opinion_agrees(series);
}

TEST(FeaturesSecondOpinion, AgreesOnHourlyForex)
{
    const auto file =
        shared("bars/gym_anytrading/gym_anytrading/datasets/data/FOREX_EURUSD_1H_ASK.csv");
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "BARSWEEP_SHARED with bars/ is not here";
    expect_second_opinion_agrees(import_csv({file}, {}).series);
}

TEST(FeaturesSecondOpinion, AgreesOnAYearOfMinutes)
{
    const auto file = shared("bars/bitfinex_zombie3000/BTCUSD/Candles_1m/2015/merged.csv.gz");
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "BARSWEEP_SHARED with bars/ is not here";
    ImportOptions options;
    options.format = CsvFormat::bitfinex;
    expect_second_opinion_agrees(import_csv({file}, options).series);
}

}  // namespace
}  // namespace barsweep::bars
