#include "sim/trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "bars/source_file.hpp"
#include "base/error.hpp"

namespace barsweep::sim {
namespace {

using testing::HasSubstr;

std::filesystem::path shared()
{
    const char* given = std::getenv("BARSWEEP_SHARED");
    return given != nullptr ? given : BARSWEEP_SOURCE_DIR "/../shared";
}

Trace load(int number)
{
    const auto path =
        shared() / "reference/traces" / ("trace_" + std::to_string(number) + ".json.gz");
    const auto source = bars::read_source(path);
    return read_trace(source.text, source.name);
}

class RecordedTrace : public testing::TestWithParam<int> {
protected:
    void SetUp() override
    {
        if (!std::filesystem::exists(shared() / "reference/traces")) {
            GTEST_SKIP() << "the recorded traces are not on this machine";
        }
    }
};

TEST_P(RecordedTrace, IsEqualToTheLastBit)
{
    const auto difference = compare_trace(load(GetParam()));
    EXPECT_FALSE(difference) << difference->row << " " << difference->field << " "
                             << difference->recorded << " " << difference->computed;
}

TEST_P(RecordedTrace, ADigitChangedIsFoundByRowAndField)
{
    auto trace = load(GetParam());
    const auto row = trace.rows.size() / 2;
    trace.rows[row].after.cash += 1;
    trace.rows[row].reward += 1;
    const auto difference = compare_trace(trace);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->row, static_cast<std::int64_t>(row));
    EXPECT_EQ(difference->field, "cash");
}

INSTANTIATE_TEST_SUITE_P(Reference, RecordedTrace, testing::Range(1, 25));

/// One bar long: 9 lots at 100, and no costs.
constexpr const char* small = R"({
 "rules": {"initial": 1000, "levels_ppm": [0, 1000000], "half_spread_nanoticks": 0, "rate_ppb": 0,
  "reserve_ppm": 100000, "unit_lots": 0, "fill": "next_open", "barrier": "off", "target_ppm": 1,
  "stop_ppm": 1, "hold_bars": 1, "target_through": 0, "stop_slippage": 0, "reentry": "any",
  "carry_long_ppb": 0, "carry_short_ppb": 0, "ruin_ppm": 0, "reward": "return",
  "barrier_weight": 0.0, "drawdown_weight": 0.0, "normalise": false},
 "bars": [[100, 100, 100, 100], [100, 110, 100, 110]], "actions": [1, 0], "sigma_ppb": [0, 0],
 "rows": [{"seen": [0, 0, 0, 0, 0, 0, 0, 0], "reward": 0.09, "label": 0, "terminated": false,
  "cash": 100, "lots": 9, "basis": 900, "costs": 0, "peak": 1090, "upper": 0, "lower": 0, "age": 1,
  "level": 1000000, "realised": 0, "equity": 1090}]})";

TEST(Trace, AHandWrittenBarIsEqual)
{
    EXPECT_FALSE(compare_trace(read_trace(small, "small.json")));
}

TEST(Trace, ARowThatIsMissingIsADifference)
{
    auto trace = read_trace(small, "small.json");
    trace.bars.push_back({110, 110, 110, 110});
    const auto difference = compare_trace(trace);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->row, 1);
    EXPECT_EQ(difference->computed, "one more");
}

TEST(Trace, RefusesAFieldOfAnotherKindByName)
{
    std::string text = small;
    text.replace(text.find("\"cash\": 100"), 11, "\"cash\": 1.5");
    try {
        read_trace(text, "small.json");
        FAIL() << "it was read";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("small.json: expected rows[0].cash as an int64, found 1.5"));
    }
}

TEST(Trace, RefusesAnObservationThatIsNoNumber)
{
    std::string text = small;
    const auto seen = text.find('[', text.find("\"seen\"")) + 1;
    text.replace(seen, text.find(',', seen) - seen, "null");
    try {
        read_trace(text, "small.json");
        FAIL() << "it was read";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("small.json: expected rows[0].seen as 8 numbers"));
    }
}

TEST(Trace, RefusesWhatIsNoJson)
{
    EXPECT_THROW(read_trace("time,open", "bars.csv"), UserError);
}

}  // namespace
}  // namespace barsweep::sim
