#include "sim/actions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace barsweep::sim {
namespace {

using testing::HasSubstr;

class ActionsFile : public testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(path_); }

    Actions read(const std::string& text, std::int64_t bars = 5, const std::string& column = {})
    {
        std::ofstream{path_} << text;
        return read_actions(path_, bars, column);
    }

    std::string refusal(const std::string& text, const std::string& column = {})
    {
        try {
            read(text, 5, column);
        } catch (const UserError& error) {
            return error.what();
        }
        return "accepted";
    }

    std::filesystem::path path_ =
        testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

TEST_F(ActionsFile, LevelsHoldUntilTheNextRow)
{
    const auto actions = read("bar,level\n1,0.5\n3,-1\n");
    EXPECT_FALSE(actions.units);
    EXPECT_EQ(wants_of(actions, 0, {0, 4}, "f"), (Wanted{0, 500'000, 500'000, -1'000'000}));
    EXPECT_EQ(wants_of(actions, 0, {2, 4}, "f"), (Wanted{500'000, -1'000'000}));
}

TEST_F(ActionsFile, UnitsAreLotsOfTheFinestOne)
{
    const auto actions = read("bar,target_units\n0,-2\n1,1.25\n2,0\n");
    EXPECT_TRUE(actions.units);
    EXPECT_EQ(finest_unit(actions), (Decimal{1, 2}));
    EXPECT_EQ(wants_of(actions, 2, {0, 4}, "f"), (Wanted{-200, 125, 0, 0}));
    EXPECT_THROW(wants_of(actions, 1, {0, 4}, "f"), UserError);
}

TEST_F(ActionsFile, AnotherColumnIsPickedByName)
{
    const auto actions = read("bar,level,other\n0,1,-1\n", 5, "other");
    EXPECT_EQ(wants_of(actions, 0, {0, 2}, "f"), (Wanted{-1'000'000, -1'000'000}));
}

TEST_F(ActionsFile, FaultsAreNamedByLineAndColumn)
{
    EXPECT_THAT(refusal("bar,price\n0,1\n"),
                HasSubstr("line 1: expected the columns bar and level"));
    EXPECT_THAT(refusal("bar,level\n0,1\n", "wanted"), HasSubstr("the columns bar and wanted"));
    EXPECT_THAT(refusal("bar,level\n0,1\n0,1\n"), HasSubstr("line 3, column bar"));
    EXPECT_THAT(refusal("bar,level\n5,1\n"), HasSubstr("found '5'"));
    EXPECT_THAT(refusal("bar,level\n0,much\n"), HasSubstr("line 2, column level"));
    EXPECT_THAT(refusal("bar,level\n0,1.5\n"), HasSubstr("an exposure from -1 to 1"));
    EXPECT_THAT(refusal("bar,level\n0\n"), HasSubstr("as many columns as the first"));
    EXPECT_THAT(refusal(""), HasSubstr("line 1"));
}

}  // namespace
}  // namespace barsweep::sim
