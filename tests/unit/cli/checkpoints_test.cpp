#include "cli/checkpoints.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"

namespace barsweep::cli {
namespace {

TEST(Checkpoints, AreWrittenEveryMinuteUnlessToldOtherwise)
{
    ::unsetenv("BARSWEEP_CHECKPOINT_SECONDS");
    EXPECT_EQ(checkpoint_seconds(), 60);
    ::setenv("BARSWEEP_CHECKPOINT_SECONDS", "0.5", 1);
    EXPECT_EQ(checkpoint_seconds(), 0.5);
    for (const char* wish : {"-1", "nan", "1s", "soon"}) {
        ::setenv("BARSWEEP_CHECKPOINT_SECONDS", wish, 1);
        EXPECT_THROW(checkpoint_seconds(), UserError) << wish;
    }
    ::unsetenv("BARSWEEP_CHECKPOINT_SECONDS");
}

TEST(Checkpoints, OfAStudyWithoutAFolderHaveNoPath)
{
    EXPECT_EQ(Checkpoints{{}}.of(3), "");
    EXPECT_EQ(Checkpoints{"study/checkpoints"}.of(3), "study/checkpoints/trial-000003.ckpt");
}

}  // namespace
}  // namespace barsweep::cli
