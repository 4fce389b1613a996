#include "cluster/place.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace barsweep::cluster {
namespace {

TEST(Place, AThreadForEachProcessorOfABoundRank)
{
    EXPECT_EQ(count_threads({.allowed = 4, .online = 64, .local_ranks = 16}, ""), 4);
    EXPECT_EQ(count_threads({.allowed = 1, .online = 2, .local_ranks = 2}, ""), 1);
}

TEST(Place, RanksThatNoOneBoundShareTheMachine)
{
    EXPECT_EQ(count_threads({.allowed = 64, .online = 64, .local_ranks = 4}, ""), 16);
    EXPECT_EQ(count_threads({.allowed = 2, .online = 2, .local_ranks = 4}, ""), 1);
    EXPECT_EQ(count_threads({.allowed = 8, .online = 8, .local_ranks = 1}, ""), 8);
}

TEST(Place, AWishOverrides)
{
    EXPECT_EQ(count_threads({.allowed = 2, .online = 2, .local_ranks = 1}, "7"), 7);
}

TEST(Place, RefusesAWishThatIsNoNumberOfThreads)
{
    for (const char* wish : {"0", "-1", "two", "4x", " 4", "1.5", "4097", "99999999999"})
        EXPECT_THROW(count_threads({}, wish), UserError) << wish;
    try {
        count_threads({}, "two");
    } catch (const UserError& error) {
        EXPECT_STREQ(error.what(),
                     "BARSWEEP_THREADS: expected a number of threads from 1 to 4096, found "
                     "\"two\". To fix: set it to such a number, or unset it.");
    }
}

TEST(Place, FindsThisProcess)
{
    const auto here = find_processors();
    EXPECT_GE(here.allowed, 1);
    EXPECT_GE(here.online, here.allowed);
    EXPECT_GE(here.local_ranks, 1);
}

TEST(Place, RefusesProcessesThatSlurmStartedWithoutKnowingOfEachOther)
{
    try {
        check_world(1, "4", false);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_EQ(error.exit(), Exit::machine);
        EXPECT_STREQ(error.what(),
                     "MPI: expected 4 ranks, as SLURM_NTASKS says, found a world of 1, so that "
                     "each process would run the whole study. To fix: start it with srun "
                     "--mpi=pmix (srun --mpi=list shows what there is), or with mpirun.");
    }
}

TEST(Place, AcceptsAWholeWorldNoSlurmAndWhatMpirunWasAskedFor)
{
    EXPECT_NO_THROW(check_world(4, "4", false));
    EXPECT_NO_THROW(check_world(1, "1", false));
    EXPECT_NO_THROW(check_world(1, "", false));
    EXPECT_NO_THROW(check_world(1, "4", true));
}

}  // namespace
}  // namespace barsweep::cluster
