#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "cluster/serve.hpp"
#include "tests/ranks/toy_study.hpp"
#include "tests/ranks/world.hpp"

namespace barsweep::cluster {
namespace {

using namespace std::chrono_literals;

/// Under `mpirun --enable-recovery`, whose status says nothing: rank 0's verdict counts.
TEST(Survival, KilledWorkersCostNothingButTheirOwnRungs)
{
    ASSERT_GE(world->size(), 4) << "needs 4 ranks";
    constexpr std::int64_t trials = 60;
    std::atomic<int> calls = 0;
    // Ranks 1 and 2 die in the middle of a task, one early and one late.
    const auto run = [&](const Task& task) {
        const int call = ++calls;
        if ((world->rank() == 1 && call == 2) || (world->rank() == 2 && call == 8))
            kill(getpid(), SIGKILL);
        std::this_thread::sleep_for(10ms);
        return toy_report(task);
    };
    const ServeOptions options{.threads = 1, .heartbeat = 0.1, .lost_after = 1};
    if (world->rank() != 0) {
        EXPECT_EQ(
            work(
                *world, StopSignals{}, [&](const std::string&) { return RunTask{run}; }, options),
            Ending::done);
        return;
    }
    const ScratchFolder folder;
    const auto path = folder.path / "ledger.jsonl";
    search::Ledger ledger{path};
    search::Study study{toy_plan(trials), ledger};
    Coordinator coordinator{study, 6, toy_cost};
    EXPECT_EQ(lead(*world, StopSignals{}, coordinator, ledger, run, options, {}), Ending::done);
    EXPECT_TRUE(world->lost(1));
    EXPECT_TRUE(world->lost(2));
    EXPECT_FALSE(world->lost(3));
    EXPECT_EQ(comparable(path), ledger_of_one_worker(trials, 6));
}

}  // namespace
}  // namespace barsweep::cluster
