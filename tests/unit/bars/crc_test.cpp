#include "bars/crc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace barsweep::bars {
namespace {

TEST(Crc, HasThePublishedValues)
{
    EXPECT_THAT(crc32c_blocks("123456789", 9), testing::ElementsAre(0xE3069283u));
    EXPECT_THAT(crc32c_blocks(std::string(32, '\0').data(), 32),
                testing::ElementsAre(0x8A9136AAu));  // RFC 3720 B.4
    EXPECT_THAT(crc32c_blocks(nullptr, 0), testing::IsEmpty());
}

TEST(Crc, SumsEachMebibyteAlone)
{
    std::string bytes(crc_block + 9, '\0');
    bytes.replace(crc_block, 9, "123456789");
    const auto sums = crc32c_blocks(bytes.data(), bytes.size());
    ASSERT_EQ(sums.size(), 2u);
    EXPECT_EQ(sums[1], 0xE3069283u);
}

}  // namespace
}  // namespace barsweep::bars
