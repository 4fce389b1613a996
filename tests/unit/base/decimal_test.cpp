#include "base/decimal.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace barsweep {
namespace {

TEST(Decimal, ReadsPlainAndExponentFormsToTheSameDigits)
{
    EXPECT_EQ(parse_decimal("101.25"), (Decimal{10125, 2}));
    EXPECT_EQ(parse_decimal(".5"), (Decimal{5, 1}));
    EXPECT_EQ(parse_decimal("5."), (Decimal{5, 0}));
    EXPECT_EQ(parse_decimal("+0.25"), (Decimal{25, 2}));
    EXPECT_EQ(parse_decimal("-3"), (Decimal{-3, 0}));
    EXPECT_EQ(parse_decimal("-.000100"), (Decimal{-1, 4}));
    EXPECT_EQ(parse_decimal("2.9e-05"), (Decimal{29, 6}));
    EXPECT_EQ(parse_decimal("3.0E-5"), (Decimal{3, 5}));
    EXPECT_EQ(parse_decimal("1.0865E+07"), (Decimal{10865000, 0}));
    EXPECT_EQ(parse_decimal("4.5E13"), (Decimal{45'000'000'000'000, 0}));
}

TEST(Decimal, ZerosAtEitherEndAreNoDigits)
{
    EXPECT_EQ(parse_decimal("2.50"), (Decimal{25, 1}));
    EXPECT_EQ(parse_decimal("00012.50"), (Decimal{125, 1}));
    EXPECT_EQ(parse_decimal("0.000028540000"), (Decimal{2854, 8}));
    EXPECT_EQ(parse_decimal("91234567890123.00000000000000"), (Decimal{91234567890123, 0}));
    EXPECT_EQ(parse_decimal("100e-2"), (Decimal{1, 0}));
    EXPECT_EQ(parse_decimal("0"), (Decimal{}));
    EXPECT_EQ(parse_decimal("-0.000"), (Decimal{}));
    EXPECT_EQ(parse_decimal("0e-50"), (Decimal{}));
    EXPECT_EQ(parse_decimal("0e99999999999"), (Decimal{}));
}

TEST(Decimal, RefusesWhatIsNoNumber)
{
    for (const auto* text : {"",      " ",    ".",     "-",     "+",      "e5",  ".e5", "nan",
                             "inf",   "-inf", "1,000", "1.2.3", "1 ",     " 1",  "1e",  "1e+",
                             "1e5.0", "--1",  "0x10",  "1_000", "10.8.1", "NaN", "1d5"})
        EXPECT_FALSE(parse_decimal(text)) << text;
    EXPECT_FALSE(parse_decimal(std::string_view{"1\0002", 3}));
}

TEST(Decimal, HoldsEighteenDigitsAndEighteenPlacesAndNoMore)
{
    EXPECT_EQ(parse_decimal("999999999999999999"), (Decimal{999'999'999'999'999'999, 0}));
    EXPECT_EQ(parse_decimal("0.000000000000000001"), (Decimal{1, 18}));
    EXPECT_EQ(parse_decimal("1e-18"), (Decimal{1, 18}));
    EXPECT_EQ(parse_decimal("1e17"), (Decimal{100'000'000'000'000'000, 0}));
    EXPECT_EQ(parse_decimal("1000e-20"), (Decimal{1, 17}));
    EXPECT_FALSE(parse_decimal("1000000000000000000"));
    EXPECT_FALSE(parse_decimal("1.000000000000000001"));
    EXPECT_FALSE(parse_decimal("1e-19"));
    EXPECT_FALSE(parse_decimal("1e18"));
    EXPECT_FALSE(parse_decimal("1e400"));
    EXPECT_FALSE(parse_decimal("1e-999999999999"));
}

TEST(Decimal, TurnsIntoUnitsExactlyOrNotAtAll)
{
    EXPECT_EQ(to_units({29, 6}, 9), 29'000);
    EXPECT_EQ(to_units({1, 9}, 9), 1);
    EXPECT_EQ(to_units({-25, 1}, 3), -2'500);
    EXPECT_EQ(to_units({500, 2}, 0), 5);
    EXPECT_FALSE(to_units({5, 1}, 0));
    EXPECT_FALSE(to_units({10'000'000'000, 0}, 9));
    EXPECT_FALSE(to_units({1, 0}, 19));
}

TEST(Decimal, RoundsHalfToEven)
{
    EXPECT_EQ(round_to_units({5, 1}, 0), 0);
    EXPECT_EQ(round_to_units({15, 1}, 0), 2);
    EXPECT_EQ(round_to_units({25, 1}, 0), 2);
    EXPECT_EQ(round_to_units({-15, 1}, 0), -2);
    EXPECT_EQ(round_to_units({-25, 1}, 0), -2);
    EXPECT_EQ(round_to_units({251, 2}, 0), 3);
    EXPECT_EQ(round_to_units({249, 2}, 0), 2);
    EXPECT_EQ(round_to_units({28541234567, 15}, 9), 28541);
    EXPECT_EQ(round_to_units({7, 0}, 2), 700);
}

TEST(Decimal, ComparesValuesNotDigits)
{
    EXPECT_TRUE(compare({25, 1}, {249, 2}) > 0);
    EXPECT_TRUE(compare({-25, 1}, {249, 2}) < 0);
    EXPECT_TRUE(compare({20, 1}, {2, 0}) == 0);
    EXPECT_TRUE(compare({999'999'999'999'999'999, 0}, {1, 18}) > 0);
}

TEST(Decimal, PrintsPlainlyWithoutTrailingZeros)
{
    EXPECT_EQ(to_text(10125, 2), "101.25");
    EXPECT_EQ(to_text(28540, 9), "0.00002854");
    EXPECT_EQ(to_text(-5, 3), "-0.005");
    EXPECT_EQ(to_text(100, 2), "1");
    EXPECT_EQ(to_text(0, 9), "0");
    EXPECT_EQ(to_text(1'000, 0), "1000");
    EXPECT_EQ(to_text(std::numeric_limits<std::int64_t>::min(), 18), "-9.223372036854775808");
}

TEST(Decimal, ReadsBackWhatItPrints)
{
    std::int64_t digits = 1;
    for (int i = 0; i < 2'000; ++i) {
        digits = static_cast<std::int64_t>(
            static_cast<std::uint64_t>(digits) * 6364136223846793005u + 1442695u);
        const auto units = digits % 1'000'000'000'000'000;
        const auto text = to_text(units, i % 15);
        const auto value = parse_decimal(text);
        ASSERT_TRUE(value) << text;
        EXPECT_EQ(to_units(*value, i % 15), units) << text;
    }
}

}  // namespace
}  // namespace barsweep
