#include "agents/episodes.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace barsweep::agents {
namespace {

std::vector<std::int64_t> starts(Episodes& episodes, std::int64_t count)
{
    const auto view = episodes.up_to(count - 1);
    return {view.data, view.data + count};
}

TEST(Episodes, APassTilesTheWindowOnceWithOneShift)
{
    // 105 decisions from row 240: five tiles of 20, shifted by 0 to 5.
    Episodes episodes{{240, 345}, 20, 1, 0};
    std::set<std::int64_t> shifts;
    for (std::int64_t pass = 0; pass < 50; ++pass) {
        auto five = starts(episodes, 5 * (pass + 1));
        five.erase(five.begin(), five.end() - 5);
        std::sort(five.begin(), five.end());
        for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(five[i] - five[i - 1], 20);
        EXPECT_GE(five[0], 240);
        EXPECT_LE(five[4] + 19, 344);  // the last decision
        shifts.insert(five[0] - 240);
    }
    EXPECT_EQ(shifts.size(), 6u);
}

TEST(Episodes, EveryPassHasAnOrderOfItsOwnAndGrowthChangesNothing)
{
    Episodes at_once{{0, 1'000}, 10, 1, 0};
    Episodes bit_by_bit{{0, 1'000}, 10, 1, 0};
    const auto all = starts(at_once, 300);
    for (std::int64_t count = 1; count <= 300; ++count) {
        ASSERT_EQ(starts(bit_by_bit, count).back(), all[static_cast<std::size_t>(count - 1)]);
    }
    EXPECT_FALSE(std::equal(all.begin(), all.begin() + 100, all.begin() + 100));
}

TEST(Episodes, AreKeyedBySeedAndReplicate)
{
    Episodes a{{0, 1'000}, 10, 1, 0}, other_seed{{0, 1'000}, 10, 2, 0},
        other_replicate{{0, 1'000}, 10, 1, 1};
    EXPECT_NE(starts(a, 50), starts(other_seed, 50));
    EXPECT_NE(starts(a, 50), starts(other_replicate, 50));
}

TEST(Episodes, AnEpisodeIsAtMostTheWindow)
{
    Episodes episodes{{100, 150}, 2'048, 1, 0};
    EXPECT_EQ(episodes.bars(), 50);
    EXPECT_EQ(starts(episodes, 3), (std::vector<std::int64_t>{100, 100, 100}));
}

}  // namespace
}  // namespace barsweep::agents
