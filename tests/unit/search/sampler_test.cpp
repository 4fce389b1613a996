#include "search/sampler.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>

#include "base/error.hpp"
#include "search/permutation.hpp"

using namespace barsweep;
using namespace barsweep::search;
using testing::HasSubstr;

namespace {

Space space_of(std::vector<std::pair<std::string, std::string>> lines)
{
    return parse_space(lines, "job.ini");
}

/// How often each value of the only parameter comes in `draws` draws.
std::map<std::string, int> counts(const std::string& line, int draws)
{
    Sampler sampler({SamplerKind::random, 5}, space_of({{"p", line}}));
    std::map<std::string, int> found;
    for (int n = 0; n < draws; ++n) ++found[to_text(sampler.draw(n, {})->at("p"))];
    return found;
}

}  // namespace

TEST(RandomSampler, DrawsEachValueOfASteppedRangeEquallyOften)
{
    const auto found = counts("int 0 10 step 3", 12'000);
    ASSERT_EQ(found.size(), 4u);
    for (const char* value : {"0", "3", "6", "9"}) EXPECT_NEAR(found.at(value), 3000, 200) << value;
}

TEST(RandomSampler, StaysInsideEveryDistribution)
{
    const Space space = space_of({{"a", "float -1 3"},
                                  {"b", "log 1e-5 1e-2"},
                                  {"c", "intlog 1 9"},
                                  {"d", "float 0.0001 0.1 step 0.0005"},
                                  {"e", "int 2 10 step 5"},
                                  {"f", "choice x y z"},
                                  {"g", "log 1e-4 1e-4"}});
    Sampler sampler({SamplerKind::random, 1}, space);
    for (int n = 0; n < 5'000; ++n) {
        const auto params = sampler.draw(n, {}).value();
        for (const auto& [name, distribution] : space.parameters)
            ASSERT_TRUE(contains(distribution, params.at(name)))
                << name << " = " << to_text(params.at(name)) << " in draw " << n;
    }
}

TEST(RandomSampler, ALogRangeIsUniformInItsLogarithm)
{
    Sampler sampler({SamplerKind::random, 3}, space_of({{"p", "log 1e-4 1"}}));
    int decades[4] = {};
    for (int n = 0; n < 8'000; ++n)
        ++decades[static_cast<int>(
                      -std::floor(std::log10(std::get<double>(sampler.draw(n, {})->at("p"))))) -
                  1];
    for (const int count : decades) EXPECT_NEAR(count, 2000, 160);
}

TEST(RandomSampler, ALogIntegerGetsTheShareOfItsOwnUnitInterval)
{
    const auto found = counts("intlog 1 4", 20'000);
    for (int x = 1; x <= 4; ++x) {
        const double share = std::log((x + 0.5) / (x - 0.5)) / std::log(4.5 / 0.5);
        EXPECT_NEAR(found.at(std::to_string(x)), share * 20'000, 300) << x;
    }
}

TEST(RandomSampler, ADrawDependsOnSeedTrialAndParameterAlone)
{
    const Space space = space_of({{"p", "float 0 1"}, {"q", "float 0 1"}});
    Sampler one({SamplerKind::random, 1}, space), two({SamplerKind::random, 2}, space);
    const auto late = one.draw(7, {});
    for (int n = 0; n < 7; ++n) EXPECT_NE(one.draw(n, {}), late);
    EXPECT_EQ(one.draw(7, {}), late);
    EXPECT_NE(two.draw(7, {}), late);
    EXPECT_NE(late->at("p"), late->at("q"));
}

TEST(GridSampler, VisitsEachPointOfTheProductOnceAndThenIsSpent)
{
    const Space space =
        space_of({{"a", "int 0 4"}, {"b", "choice x y z"}, {"c", "float 0.1 0.3 step 0.1"}});
    Sampler sampler({SamplerKind::grid, 9}, space);
    std::set<std::string> seen;
    for (int n = 0; n < 45; ++n) {
        const auto params = sampler.draw(n, {}).value();
        std::string point;
        for (const auto& [name, value] : params) point += to_text(value) + " ";
        EXPECT_TRUE(seen.insert(point).second) << point << "came twice";
    }
    EXPECT_EQ(sampler.draw(45, {}), std::nullopt);
}

TEST(GridSampler, OrderFollowsTheSeed)
{
    const Space space = space_of({{"a", "int 0 999"}});
    Sampler one({SamplerKind::grid, 1}, space), two({SamplerKind::grid, 2}, space);
    int same = 0, in_order = 0;
    for (int n = 0; n < 1000; ++n) {
        same += one.draw(n, {}) == two.draw(n, {});
        in_order += std::get<std::int64_t>(one.draw(n, {})->at("a")) == n;
    }
    EXPECT_LT(same, 10);
    EXPECT_LT(in_order, 10);
}

TEST(GridSampler, RefusesAFloatWithoutAStepByName)
{
    try {
        Sampler({SamplerKind::grid, 0}, space_of({{"agent.gamma", "float 0 1"}}));
        FAIL() << "accepted";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("[space] agent.gamma: expected a step"));
    }
}

TEST(GridSampler, RefusesAProductThatCannotBeCounted)
{
    std::vector<std::pair<std::string, std::string>> lines;
    for (char name = 'a'; name < 'f'; ++name)
        lines.emplace_back(std::string(1, name), "int 0 99999");
    EXPECT_THROW(Sampler({SamplerKind::grid, 0}, space_of(lines)), UserError);
}

TEST(Permutation, IsOneForEverySize)
{
    for (std::uint64_t size : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 64u, 1000u}) {
        std::set<std::uint64_t> seen;
        for (std::uint64_t i = 0; i < size; ++i) seen.insert(permuted(i, size, 77));
        EXPECT_EQ(seen.size(), size);
        EXPECT_EQ(*seen.rbegin(), size - 1);
    }
}
