#include "cluster/serve.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "base/error.hpp"
#include "tests/ranks/toy_study.hpp"
#include "tests/ranks/world.hpp"

namespace barsweep::cluster {
namespace {

using namespace std::chrono_literals;

const ServeOptions quick{.threads = 1, .heartbeat = 0.1, .lost_after = 20};

RunTask toy(const std::string& = {})
{
    return toy_report;
}

/// What rank 0 found at the end of a study; on the others the ending alone.
struct Outcome {
    Ending ending = Ending::done;
    std::vector<std::string> records;
    std::vector<search::TrialRecord> trials;
    int progress = 0;  ///< calls
};

/// The same study on all ranks.
Outcome serve(const RunTask& run, const ServeOptions& options, std::int64_t trials = 30,
              int slots = 4)
{
    Outcome outcome;
    if (world->rank() != 0) {
        outcome.ending = work(
            *world, StopSignals{}, [&](const std::string&) { return RunTask{run}; }, options);
        return outcome;
    }
    const ScratchFolder folder;
    const auto path = folder.path / "ledger.jsonl";
    search::Ledger ledger{path};
    search::Study study{toy_plan(trials), ledger};
    Coordinator coordinator{study, slots, toy_cost};
    outcome.ending = lead(*world, StopSignals{}, coordinator, ledger, run, options,
                          [&](const Coordinator&) { ++outcome.progress; });
    outcome.records = comparable(path);
    outcome.trials = study.trials();
    return outcome;
}

/// While it lives, the process gets no more than `extra` bytes of addresses.
struct MemoryLimit {
    rlimit before{};

    explicit MemoryLimit(rlim_t extra)
    {
        rlim_t pages = 0;
        std::ifstream{"/proc/self/statm"} >> pages;
        getrlimit(RLIMIT_AS, &before);
        rlimit now = before;
        now.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + extra;
        setrlimit(RLIMIT_AS, &now);
    }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
    ~MemoryLimit() { setrlimit(RLIMIT_AS, &before); }
};

/// Takes up to 3 ms over a task, another time each time.
search::Report slow_report(const Task& task)
{
    static std::atomic<unsigned> calls = 0;
    std::this_thread::sleep_for((calls++ * 7919 % 4) * 1ms);
    return toy_report(task);
}

class Serve : public Ranks {};

TEST_F(Serve, TheLedgerIsTheSameOnAnyNumberOfRanksAndThreads)
{
    for (const int threads : {1, 2, 3}) {
        auto options = quick;
        options.threads = threads;
        const auto outcome = serve(slow_report, options);
        EXPECT_EQ(outcome.ending, Ending::done);
        if (world->rank() != 0) continue;
        EXPECT_EQ(outcome.records, ledger_of_one_worker(30, 4)) << threads << " threads";
        EXPECT_GE(outcome.progress, 1);
    }
}

TEST_F(Serve, ATaskThatThrowsFailsItsTrialAndTheStudyGoesOn)
{
    const auto outcome = serve(toy_report, quick);
    EXPECT_EQ(outcome.ending, Ending::done);
    if (world->rank() != 0) return;
    int failed = 0;
    ASSERT_EQ(outcome.trials.size(), 30U);
    for (const auto& trial : outcome.trials) {
        EXPECT_NE(trial.state, search::TrialState::running);
        if (trial.cause.find("diverged at bar 217") != std::string::npos) {
            EXPECT_EQ(trial.state, search::TrialState::fail);
            ++failed;
        }
    }
    EXPECT_GE(failed, 1);
}

TEST_F(Serve, RankZeroMayLeadAlone)
{
    if (world->size() == 1) GTEST_SKIP() << "needs a worker: run with 2 ranks or more";
    auto options = quick;
    if (world->rank() == 0) options.threads = 0;
    const auto outcome = serve(toy_report, options);
    EXPECT_EQ(outcome.ending, Ending::done);
    if (world->rank() == 0) {
        EXPECT_EQ(outcome.records, ledger_of_one_worker(30, 4));
    }
}

TEST_F(Serve, ASignalToAnyRankStopsAllWithAWholeLedger)
{
    const int last = world->size() - 1;
    for (const int signal : {SIGTERM, SIGINT, SIGUSR2}) {
        std::atomic<int> calls = 0;
        const auto run = [&](const Task& task) {
            if (world->rank() == last && calls++ == 2) kill(getpid(), signal);
            std::this_thread::sleep_for(2ms);
            return toy_report(task);
        };
        const auto outcome = serve(run, quick, 3'000);
        EXPECT_EQ(outcome.ending, Ending::stopped);
        if (world->rank() != 0) continue;
        EXPECT_LT(outcome.trials.size(), 3'000U);
        const auto expected = ledger_of_one_worker(3'000, 4);
        ASSERT_LT(outcome.records.size(), expected.size());
        EXPECT_TRUE(std::equal(outcome.records.begin(), outcome.records.end(), expected.begin()));
    }
}

TEST_F(Serve, EndsWhenItsTimeIsUp)
{
    auto options = quick;
    options.timeout = 0.3;
    const auto begin = std::chrono::steady_clock::now();
    const auto outcome = serve(
        [](const Task& task) {
            std::this_thread::sleep_for(5ms);
            return toy_report(task);
        },
        options, 100'000);
    EXPECT_EQ(outcome.ending, Ending::timeout);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

TEST_F(Serve, ALedgerThatCantBeWrittenSendsAllHomeAndIsThrown)
{
    if (world->rank() != 0) {
        EXPECT_EQ(work(*world, StopSignals{}, toy, quick), Ending::stopped);
        return;
    }
    const ScratchFolder folder;
    search::Ledger ledger{"/dev/full"};
    search::Study study{toy_plan(30), ledger};
    Coordinator coordinator{study, 4, toy_cost};
    EXPECT_THROW(lead(*world, StopSignals{}, coordinator, ledger, toy_report, quick, {}),
                 UserError);
}

TEST_F(Serve, ARankThatCantGoOnLeavesItsTrialsToTheOthers)
{
    if (world->size() == 1) GTEST_SKIP() << "needs a worker: run with 2 ranks or more";
    auto options = quick;
    const int last = world->size() - 1;
    if (world->rank() == last) {
        const MemoryLimit limit{100'000'000};
        options.threads = 1'000;  // 8 MB of stack each
        EXPECT_THROW(work(*world, StopSignals{}, toy, options), std::system_error);
        return;
    }
    const auto outcome = serve(toy_report, options);
    EXPECT_EQ(outcome.ending, Ending::done);
    if (world->rank() == 0) {
        EXPECT_EQ(outcome.records, ledger_of_one_worker(30, 4));
    }
}

TEST_F(Serve, ASilentRankLosesItsTrialsToTheOthersAndIsSentHomeWhenItSpeaks)
{
    if (world->size() == 1) GTEST_SKIP() << "needs a worker: run with 2 ranks or more";
    auto options = quick;
    const bool silent = world->rank() == world->size() - 1;
    options.lost_after = silent ? 20 : 0.5;
    if (silent) options.heartbeat = 1;
    const auto run = [&](const Task& task) {
        std::this_thread::sleep_for(silent ? 1'500ms : 40ms);
        return toy_report(task);
    };
    const std::int64_t trials = 40 * (world->size() - 1);  // some 2 s
    const auto outcome = serve(run, options, trials);
    EXPECT_EQ(outcome.ending, silent ? Ending::stopped : Ending::done);
    if (world->rank() == 0) {
        EXPECT_EQ(outcome.records, ledger_of_one_worker(trials, 4));
    }
}

TEST_F(Serve, DismissSendsHomeWhoWaitsForAStudyThatNeverBegins)
{
    if (world->rank() == 0) return dismiss(*world, Ending::stopped);
    const auto prepare = [](const std::string&) -> RunTask {
        ADD_FAILURE() << "prepared for nothing";
        return toy_report;
    };
    EXPECT_EQ(work(*world, StopSignals{}, prepare, quick), Ending::stopped);
}

TEST_F(Serve, EveryRankIsToldWhatRank0ComputesOnAndOneThatHasAnythingElseAnswersNothing)
{
    if (world->size() == 1) GTEST_SKIP() << "needs a worker: run with 2 ranks or more";
    if (world->rank() == world->size() - 1) {
        const auto prepare = [](const std::string& study) -> RunTask {
            throw std::runtime_error("other bars than " + study);
        };
        EXPECT_THAT([&] { work(*world, StopSignals{}, prepare, quick); },
                    testing::ThrowsMessage<std::runtime_error>("other bars than toy bars"));
        return;
    }
    auto options = quick;
    options.study = "toy bars";
    const auto outcome = serve(toy_report, options);
    if (world->rank() == 0) {
        EXPECT_EQ(outcome.records, ledger_of_one_worker(30, 4));
    }
}

TEST_F(Serve, ARankThatCantLoadLeavesTheStudyToTheOthers)
{
    if (world->size() == 1) GTEST_SKIP() << "needs a worker: run with 2 ranks or more";
    if (world->rank() == world->size() - 1) {
        const auto prepare = [](const std::string&) -> RunTask {
            throw std::runtime_error("no such store here");
        };
        EXPECT_THROW(work(*world, StopSignals{}, prepare, quick), std::runtime_error);
        return;
    }
    const auto outcome = serve(toy_report, quick);
    EXPECT_EQ(outcome.ending, Ending::done);
    if (world->rank() == 0) {
        EXPECT_EQ(outcome.records, ledger_of_one_worker(30, 4));
    }
}

TEST_F(Serve, AWorkerEndsByItselfWhenRankZeroIsSilent)
{
    if (world->size() == 1) GTEST_SKIP() << "needs a worker: run with 2 ranks or more";
    if (world->rank() == 0) {  // says nothing
        std::this_thread::sleep_for(2s);
        return;
    }
    auto options = quick;
    options.lost_after = 0.02;  // 20 times as long before the first word
    try {
        work(*world, StopSignals{}, toy, options);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const UserError& error) {
        EXPECT_EQ(error.exit(), Exit::stopped);
        EXPECT_THAT(error.what(), testing::StartsWith("MPI: expected signs of life from rank 0"));
    }
    EXPECT_TRUE(world->lost(0));
}

}  // namespace
}  // namespace barsweep::cluster
