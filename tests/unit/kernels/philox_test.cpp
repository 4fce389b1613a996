#include <gtest/gtest.h>

#include <vector>

#include "kernels/philox_fill.hpp"

namespace barsweep::kernels {
namespace {

constexpr bool gives(PhiloxCounter counter, PhiloxKey key, int rounds, PhiloxCounter expected)
{
    const auto made = philox4x32(counter, key, rounds);
    return made.x == expected.x && made.y == expected.y && made.z == expected.z &&
           made.w == expected.w;
}

constexpr u32 ones = 0xffffffff;

// Known answers that Random123 publishes (kat_vectors, philox4x32).
static_assert(gives({0, 0, 0, 0}, {0, 0}, 10, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
static_assert(gives({ones, ones, ones, ones}, {ones, ones}, 10,
                    {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
static_assert(gives({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}, 10,
                    {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
static_assert(gives({0, 0, 0, 0}, {0, 0}, 7, {0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}));

TEST(PhiloxFill, WordsAreThoseOfTheirBlocksAndNothingIsWrittenBeyond)
{
    std::vector<u32> words(11, 7);
    const PhiloxFillArgs args{{1, 2}, {3, 4}, {words.data(), 10}};
    for (i64 i = 0; i < 3; ++i) philox_fill_one(args, i);

    const auto block = philox4x32({1, 0, 3, 4}, {1, 2});
    EXPECT_EQ(words[4], block.x);
    EXPECT_EQ(words[7], block.w);
    EXPECT_EQ(words[9], philox4x32({2, 0, 3, 4}, {1, 2}).y);
    EXPECT_EQ(words[10], 7u);
}

}  // namespace
}  // namespace barsweep::kernels
