#include "cli/nearest.hpp"

#include <gmock/gmock.h>

namespace barsweep::cli {
namespace {

TEST(EditDistance, CountsInsertedDeletedReplacedAndSwappedLetters)
{
    EXPECT_EQ(edit_distance("trials", "trials"), 0u);
    EXPECT_EQ(edit_distance("trial", "trials"), 1u);
    EXPECT_EQ(edit_distance("triials", "trials"), 1u);
    EXPECT_EQ(edit_distance("trixls", "trials"), 1u);
    EXPECT_EQ(edit_distance("trails", "trials"), 1u);
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(EditDistance, IsTheSameBothWays)
{
    EXPECT_EQ(edit_distance("slow", "fast"), edit_distance("fast", "slow"));
    EXPECT_EQ(edit_distance("account.hold", "acount.hodl"),
              edit_distance("acount.hodl", "account.hold"));
}

TEST(Nearest, PrefersTheSameKeyOfAnotherSection)
{
    EXPECT_EQ(nearest("study.hold", {"study.seed", "account.hold"}), "account.hold");
    EXPECT_EQ(nearest("trials", {"data.train", "study.trials"}), "study.trials");
}

TEST(Nearest, TakesABeginningForItsName)
{
    EXPECT_EQ(nearest("sym", {"out", "symbol"}), "symbol");
    EXPECT_EQ(nearest("study.tri", {"study.seed", "study.trials"}), "study.trials");
}

TEST(Nearest, TakesTheFirstOfEquals)
{
    EXPECT_EQ(nearest("b", {"c", "a"}), "c");
}

}  // namespace
}  // namespace barsweep::cli
