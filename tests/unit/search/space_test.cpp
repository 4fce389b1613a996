#include "search/space.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

using namespace barsweep;
using namespace barsweep::search;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string refusal(const std::vector<std::pair<std::string, std::string>>& lines)
{
    try {
        parse_space(lines, "job.ini [space]");
    } catch (const UserError& error) {
        return error.what();
    }
    return "accepted";
}

Distribution parsed(const std::string& text)
{
    return parse_space({{"p", text}}, "job.ini").parameters.at(0).distribution;
}

std::vector<std::string> values_of(const Distribution& distribution)
{
    std::vector<std::string> values;
    for (std::int64_t k = 0; k < count_values(distribution); ++k)
        values.push_back(to_text(value_at(distribution, k)));
    return values;
}

/// A parameter of case D11 as a line of a job file.
std::string as_line(const nlohmann::json& parameter)
{
    if (parameter["type"] == "categorical") return "choice";
    const bool log = parameter.value("log", false), whole = parameter["type"] == "int";
    std::string line = whole ? (log ? "intlog" : "int") : (log ? "log" : "float");
    line.append(" ").append(parameter["low"].dump());
    line.append(" ").append(parameter["high"].dump());
    if (parameter.contains("step")) line.append(" step ").append(parameter["step"].dump());
    return line;
}

}  // namespace

TEST(Space, ReadsEveryFormAndSortsByName)
{
    const auto space = parse_space({{"agent.slow", "int 30 60 step 10"},
                                    {"agent.fast", "intlog 1 64"},
                                    {"account.hold", "choice 10 20"},
                                    {"agent.gamma", "float 0.9 0.999"},
                                    {"agent.learning_rate", "log 1e-5 1e-2"}},
                                   "job.ini");

    std::vector<std::string> names;
    for (const auto& parameter : space.parameters) names.push_back(parameter.name);
    EXPECT_THAT(names, ElementsAre("account.hold", "agent.fast", "agent.gamma",
                                   "agent.learning_rate", "agent.slow"));
    const auto rate = std::get<FloatRange>(space.parameters[3].distribution);
    EXPECT_TRUE(rate.log && rate.low == 1e-5 && rate.high == 1e-2);
    EXPECT_THAT(values_of(space.parameters[4].distribution), ElementsAre("30", "40", "50", "60"));
}

TEST(Space, ReportsEveryFaultOfEveryParameterAtOnceWithItsName)
{
    const auto sentence = refusal({{"a", "log 0 0.01"},
                                   {"b", "log -3 1"},
                                   {"c", "log 0.01 1e-5"},
                                   {"d", "log 1e-4 1e-4"},
                                   {"g", "intlog 0 64"},
                                   {"h", "intlog 1 64 step 2"},
                                   {"h1", "intlog 1 64 step 1"},
                                   {"h2", "log 1 64 step 0"},
                                   {"j", "int 1 9 step 0"},
                                   {"j1", "float 1 9 step 0"},
                                   {"k", "choice"},
                                   {"l", "int 1.5 3"},
                                   {"m", "float nan 3"},
                                   {"n", "uniform 1 2"},
                                   {"o", "int 1"},
                                   {"p", "choice x x"},
                                   {"q", "int 9 3 step -1"}});

    EXPECT_THAT(sentence,
                AllOf(HasSubstr("a: log needs low > 0, found 0;"),
                      HasSubstr("b: log needs low > 0, found -3;"),
                      HasSubstr("c: low must not be above high, found 0.01 above 1e-05;"),
                      Not(HasSubstr("d: ")), HasSubstr("g: log int needs low >= 1, found 0;"),
                      HasSubstr("h: step and log don't go together;"),
                      HasSubstr("h1: step and log don't go together;"),
                      HasSubstr("h2: step and log don't go together;")));
    EXPECT_THAT(sentence, AllOf(HasSubstr("j: step must be > 0, found 0;"),
                                HasSubstr("j1: step must be > 0, found 0;"),
                                HasSubstr("k: no choices;"), HasSubstr("l: 1.5 isn't an integer;"),
                                HasSubstr("m: bounds and step must be finite numbers;"),
                                HasSubstr("n: expected float LOW HIGH"),
                                HasSubstr("o: expected int LOW HIGH [step S];"),
                                HasSubstr("p: choice x stands there twice;"),
                                HasSubstr("q: low must not be above high, found 9 above 3; "
                                          "q: step must be > 0, found -1. To fix: ")));
}

TEST(Space, RefusesANameThatStandsThereTwice)
{
    EXPECT_THAT(refusal({{"a", "int 1 2"}, {"a", "int 3 4"}}), HasSubstr("a: stands there twice"));
}

TEST(Space, RefusesIntegersThatAJournalsDoublesCannotHold)
{
    EXPECT_THAT(refusal({{"a", "int 0 9007199254740993"}}), HasSubstr("within -2^53 and 2^53"));
}

TEST(Space, AnswersCaseD11)
{
    const char* folder = std::getenv("BARSWEEP_SHARED");
    const auto path = std::filesystem::path(folder ? folder : BARSWEEP_SOURCE_DIR "/../shared") /
                      "cases/D11/space.json";
    std::ifstream file(path);
    if (!file) GTEST_SKIP() << path << " isn't on this machine (BARSWEEP_SHARED)";

    std::vector<std::pair<std::string, std::string>> bad, good;
    for (const auto& parameter : nlohmann::json::parse(file)) {
        const std::string name = parameter["name"];
        (std::string("defi").find(name) == std::string::npos ? bad : good)
            .emplace_back(name, as_line(parameter));
    }
    const auto sentence = refusal(bad);
    for (const char* name : {"a: log needs", "b: log needs", "c: low must", "g: log int",
                             "h: step and", "j: step must", "k: no choices"})
        EXPECT_THAT(sentence, HasSubstr(name));

    const auto space = parse_space(good, "D11");
    EXPECT_THAT(std::get<double>(Value{std::get<FloatRange>(space.parameters[0].distribution).low}),
                1e-4);
    EXPECT_THAT(values_of(space.parameters[1].distribution), ElementsAre("2", "7"));
    EXPECT_THAT(values_of(space.parameters[2].distribution), ElementsAre("0", "3", "6", "9"));
    const auto grid = values_of(space.parameters[3].distribution);
    EXPECT_EQ(grid.size(), 200u);
    EXPECT_EQ(grid.back(), "0.0996");
}

TEST(Space, AStepGridHoldsTheDecimalsThatAPersonWouldWrite)
{
    EXPECT_THAT(values_of(parsed("float 0.1 0.5 step 0.1")),
                ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
    EXPECT_THAT(values_of(parsed("float -0.3 0.3 step 0.3")), ElementsAre("-0.3", "0", "0.3"));
    EXPECT_THAT(values_of(parsed("float 1 2 step 5")), ElementsAre("1"));
}

TEST(Space, AStepGridWithoutDecimalsNeverPassesHigh)
{
    const FloatRange range{1e-30, 1e-29, false, 3e-30};
    ASSERT_EQ(count_values(range), 4);
    for (std::int64_t k = 0; k < 4; ++k)
        EXPECT_LE(std::get<double>(value_at(range, k)), range.high);
}

TEST(Space, ContainsExactlyItsGrid)
{
    const auto stepped = parsed("float 0.0001 0.1 step 0.0005");
    EXPECT_TRUE(contains(stepped, 0.0996));
    EXPECT_FALSE(contains(stepped, 0.1));
    EXPECT_FALSE(contains(stepped, 0.0003));
    EXPECT_FALSE(contains(stepped, std::int64_t{0}));
    EXPECT_FALSE(contains(parsed("int 2 10 step 5"), std::int64_t{10}));
    EXPECT_TRUE(contains(parsed("int 2 10 step 5"), std::int64_t{7}));
    EXPECT_TRUE(contains(parsed("choice a b"), std::string("b")));
    EXPECT_FALSE(contains(parsed("choice a b"), std::string("c")));
    EXPECT_FALSE(contains(parsed("log 1 2"), 2.5));
}

TEST(Space, CountsWhatAGridHolds)
{
    EXPECT_EQ(count_values(parsed("float 0 1")), 0);
    EXPECT_EQ(count_values(parsed("float 1 1")), 1);
    EXPECT_EQ(count_values(parsed("intlog 1 64")), 64);
    EXPECT_EQ(count_values(parsed("choice a b c")), 3);
}

TEST(Space, WritesDoublesInTheShortestFormThatReadsBack)
{
    EXPECT_EQ(to_text(0.1), "0.1");
    EXPECT_EQ(to_text(1e-5), "1e-05");
    EXPECT_EQ(to_text(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(to_text(std::int64_t{-7}), "-7");
    EXPECT_EQ(to_text(std::string("64,64")), "64,64");
}
