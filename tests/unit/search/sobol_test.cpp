#include "search/sobol.hpp"

#include <gmock/gmock.h>

#include <set>

#include "sampler_trials.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;
using testing::ElementsAre;

namespace {

std::vector<double> first_points(std::uint32_t dimension, int count)
{
    std::vector<double> found;
    for (int n = 0; n < count; ++n)
        found.push_back(sobol_point(static_cast<std::uint32_t>(n), dimension) * 0x1.0p-32);
    return found;
}

}  // namespace

/// By hand from Joe and Kuo's polynomials: m = 1, 1, 1 ... ; 1, 3, 5 ... (x + 1); 1, 3, 1 ... (x^2
/// + x + 1).
TEST(Sobol, FirstPointsAreThoseWorkedByHand)
{
    EXPECT_THAT(first_points(0, 8), ElementsAre(0, 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875));
    EXPECT_THAT(first_points(1, 8), ElementsAre(0, 0.5, 0.75, 0.25, 0.625, 0.125, 0.375, 0.875));
    EXPECT_THAT(first_points(2, 4), ElementsAre(0, 0.5, 0.75, 0.25));
}

TEST(Sobol, EveryDimensionPutsOneOf256PointsIntoEachOf256Boxes)
{
    for (std::uint32_t d = 0; d < sobol_dimension_limit; ++d)
        for (const bool scrambled : {false, true}) {
            std::set<std::uint32_t> boxes;
            for (std::uint32_t n = 0; n < 256; ++n) {
                const auto point = sobol_point(n, d);
                boxes.insert((scrambled ? owen_scrambled(point, 5, d) : point) >> 24);
            }
            ASSERT_EQ(boxes.size(), 256u) << "dimension " << d;
        }
}

TEST(Sobol, ScramblingKeepsTheNetOfTwoDimensions)
{
    for (int bits = 0; bits <= 6; ++bits) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> boxes;
        for (std::uint32_t n = 0; n < 64; ++n) {
            const std::uint64_t x = owen_scrambled(sobol_point(n, 0), 9, 0);
            const std::uint64_t y = owen_scrambled(sobol_point(n, 1), 9, 1);
            boxes.insert({static_cast<std::uint32_t>(x >> (32 - bits)),
                          static_cast<std::uint32_t>(y >> (26 + bits))});
        }
        EXPECT_EQ(boxes.size(), 64u) << bits;
    }
}

TEST(Sobol, ScramblingDependsOnSeedAndDimension)
{
    EXPECT_EQ(owen_scrambled(7u << 20, 1, 0), owen_scrambled(7u << 20, 1, 0));
    EXPECT_NE(owen_scrambled(7u << 20, 1, 0), owen_scrambled(7u << 20, 2, 0));
    EXPECT_NE(owen_scrambled(7u << 20, 1, 0), owen_scrambled(7u << 20, 1, 1));
}

TEST(Sobol, GridValuesAndChoicesComeEquallyOften)
{
    const Sobol sobol(3, parse_space({{"p", "int 0 10 step 3"}, {"q", "choice a b"}}, "job.ini"));
    std::map<std::string, int> found;
    for (int n = 0; n < 1024; ++n)
        for (const auto& [name, value] : sobol.draw(n)) ++found[to_text(value)];
    for (const char* value : {"0", "3", "6", "9"}) EXPECT_EQ(found.at(value), 256) << value;
    for (const char* value : {"a", "b"}) EXPECT_EQ(found.at(value), 512) << value;
}

TEST(Sobol, SettingsComeOnceBeforeAnyComesTwice)
{
    const Sobol sobol(3, parse_space({{"p", "int 0 4"}, {"q", "choice a b c"}}, "job.ini"));
    std::set<Params> first, second;
    for (int n = 29; n >= 0; --n) (n < 15 ? first : second).insert(sobol.draw(n));
    EXPECT_EQ(first.size(), 15u);
    EXPECT_EQ(second.size(), 15u);
}

TEST(Sobol, StaysInsideEveryDistribution)
{
    const Space space = edge_space();
    const Sobol sobol(1, space);
    for (int n = 0; n < 3'000; ++n)
        for (const auto& [name, distribution] : space.parameters)
            ASSERT_TRUE(contains(distribution, sobol.draw(n).at(name))) << name << " of draw " << n;
}
