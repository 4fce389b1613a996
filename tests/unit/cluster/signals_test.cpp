#include "cluster/signals.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

namespace barsweep::cluster {
namespace {

TEST(StopSignals, NotesEachOfTheThreeAndEndsNothing)
{
    for (const int signal : {SIGTERM, SIGINT, SIGUSR2}) {
        const StopSignals signals;
        EXPECT_EQ(signals.received(), 0);
        std::raise(signal);
        EXPECT_EQ(signals.received(), signal);
    }
}

TEST(StopSignals, ASecondInterruptWithinASecondEndsAtOnce)
{
    const auto interrupt_twice = [](unsigned microseconds_apart) {
        const StopSignals signals;
        std::raise(SIGINT);
        usleep(microseconds_apart);
        std::raise(SIGINT);
        _exit(0);
    };
    EXPECT_EXIT(interrupt_twice(1'000), testing::ExitedWithCode(130), "");
    EXPECT_EXIT(interrupt_twice(1'100'000), testing::ExitedWithCode(0), "");
}

TEST(StopSignals, PutsBackWhatWasThereBefore)
{
    const auto raise_after = [] {
        {
            const StopSignals signals;
        }
        std::raise(SIGTERM);
    };
    EXPECT_EXIT(raise_after(), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace barsweep::cluster
