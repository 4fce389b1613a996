#include "search/json_text.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

using namespace barsweep::search;

TEST(JsonText, TakesWhatPythonWrites)
{
    for (const char* line :
         {"{}", R"({"a":1})", R"({"a": [1, -2.5e-3, 0.0], "b": {"c": null}})", R"({"a":NaN})",
          R"({"a":[Infinity,-Infinity]})", R"({"a":"\"\\\u00e9 NaN"})", "{\"a\":\"\xc3\xa9\"}"})
        EXPECT_TRUE(is_json_object(line)) << line;
}

TEST(JsonText, RefusesAnythingThatIsNotOneWholeObject)
{
    for (const char* line : {"",
                             "{",
                             "}",
                             "[1]",
                             "1",
                             R"({"a":1}})",
                             R"({"a":1} {"b":2})",
                             R"({"a":01})",
                             R"({"a":+1})",
                             R"({"a":.5})",
                             R"({"a":1.})",
                             R"({"a":1e})",
                             R"({"a"})",
                             R"({"a":})",
                             R"({a:1})",
                             R"({"a":1,})",
                             R"({"a":[1,]})",
                             R"({"a":"x)",
                             R"({"a":"\x"})",
                             R"({"a":"\u00g0"})",
                             R"({"a":nul})",
                             R"({"a":Nan})",
                             "{\"a\":\"\t\"}",
                             "{\"a\":1\x01}"})
        EXPECT_FALSE(is_json_object(line)) << line;
    EXPECT_FALSE(is_json_object(std::string(8, '\0')));
    EXPECT_FALSE(is_json_object("{\"a\":" + std::string(100'000, '[')));
}

TEST(JsonText, RefusesBytesThatAreNotUtf8)
{
    const auto object = [](const std::string& text) { return "{\"a\":\"" + text + "\"}"; };
    for (const char* good : {"\xC3\xA9", "\xE2\x82\xAC", "\xED\x9F\xBF", "\xEF\xBF\xBF",
                             "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
        EXPECT_TRUE(is_json_object(object(good))) << good;
    for (const char* bad : {"\x80", "\xFF", "\xC0\xAF", "\xC1\xBF", "\xC3", "\xE0\x9F\xBF",
                            "\xE2\x82", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                            "\xF5\x80\x80\x80", "\xE2\x28\xA1"})
        EXPECT_FALSE(is_json_object(object(bad))) << bad;
}

TEST(JsonText, AgreesWithAJsonParserOnEveryOneByteChange)
{
    const std::string line = R"({"op":-1.5e+3,"s":"a\n\u00e9","l":[true,null,{"x":0}]})";
    for (std::size_t i = 0; i < line.size(); ++i)
        for (int byte = 0x20; byte < 0x7f; ++byte) {
            std::string changed = line;
            changed[i] = static_cast<char>(byte);
            // The parser refuses numbers beyond double, lone surrogates; neither can arise here but
            // by "e9".
            EXPECT_EQ(is_json_object(changed), nlohmann::json::accept(changed)) << changed;
        }
}

TEST(JsonText, MakesStrictJsonOfPythonsNumbersAndLeavesStringsAlone)
{
    EXPECT_EQ(strict_json(R"({"NaN":NaN,"b":"\"NaN","c":[-Infinity,Infinity]})"),
              R"({"NaN":"NaN","b":"\"NaN","c":["-Infinity","Infinity"]})");
}

TEST(JsonText, WritesNumbersAsPythonFloats)
{
    EXPECT_EQ(json_number(3), "3.0");
    EXPECT_EQ(json_number(1e-5), "1e-05");
    EXPECT_EQ(json_number(-0.1), "-0.1");
    EXPECT_EQ(json_number(std::nan("")), "NaN");
    EXPECT_EQ(json_number(-INFINITY), "-Infinity");
}

TEST(JsonText, BytesThatAreNoTextCannotBreakALine)
{
    EXPECT_EQ(json_string("a\n\"\\\t"), R"("a\n\"\\\t")");
    EXPECT_EQ(json_string("\xff"), "\"\xef\xbf\xbd\"");
}
