#include "cluster/coordinator.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/random.hpp"
#include "tests/ranks/toy_study.hpp"

namespace barsweep::cluster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A study in a folder of its own, and who coordinates it.
struct Bench {
    ScratchFolder folder;
    std::filesystem::path path = folder.path / "ledger.jsonl";
    search::Ledger ledger{path};
    search::Study study;
    Coordinator coordinator;

    explicit Bench(search::StudyPlan plan, int slots, RungCost cost = toy_cost)
        : study(std::move(plan), ledger), coordinator(study, slots, std::move(cost))
    {
    }

    std::vector<std::string> records()
    {
        ledger.commit();
        return comparable(path);
    }
};

/// One rung, no cuts: a report ends its trial.
search::StudyPlan one_rung(std::int64_t trials)
{
    auto plan = toy_plan(trials);
    plan.rungs = {100};
    plan.pruner.kind = search::PrunerKind::none;
    return plan;
}

search::Report scored(std::int64_t trial, double score = 1)
{
    search::Report report;
    report.trial = trial;
    report.score = score;
    return report;
}

std::vector<std::int64_t> numbers(const std::vector<Assignment>& assignments)
{
    std::vector<std::int64_t> trials;
    for (const auto& assignment : assignments) trials.push_back(assignment.task.trial.number);
    return trials;
}

/// Costs by trial number, whatever the rung.
RungCost costs(std::vector<double> by_trial)
{
    return [by_trial = std::move(by_trial)](const search::Trial& trial, int) {
        return by_trial.at(static_cast<std::size_t>(trial.number));
    };
}

TEST(Coordinator, HandsOutTheMostUrgentTaskFirst)
{
    Bench bench{one_rung(3), 3, costs({30, 10, 20})};
    bench.coordinator.on_join(0, 3);
    EXPECT_THAT(numbers(bench.coordinator.take_assignments()), ElementsAre(1, 2, 0));
}

TEST(Coordinator, SpreadsTasksOverTheWorkersWithTheMostRoom)
{
    Bench bench{one_rung(3), 3, costs({1, 2, 3})};
    bench.coordinator.on_join(4, 1);
    bench.coordinator.on_join(5, 2);
    const auto assignments = bench.coordinator.take_assignments();
    ASSERT_THAT(assignments, SizeIs(3));
    EXPECT_EQ(assignments[0].worker, 5);
    EXPECT_EQ(assignments[1].worker, 4);
    EXPECT_EQ(assignments[2].worker, 5);
}

TEST(Coordinator, KeepsATrialWithTheWorkerThatHasItsEarlierRungs)
{
    auto plan = toy_plan(2);
    plan.pruner.kind = search::PrunerKind::none;
    Bench bench{plan, 2, costs({1, 1})};
    bench.coordinator.on_join(1, 1);
    bench.coordinator.on_join(2, 1);
    const auto first = bench.coordinator.take_assignments();
    ASSERT_THAT(first, SizeIs(2));
    for (const auto& [worker, task] : first)
        bench.coordinator.on_report(worker, safe_toy_report(task));
    for (const auto& [worker, task] : bench.coordinator.take_assignments())
        EXPECT_EQ(worker, first.at(static_cast<std::size_t>(task.slot)).worker);
}

TEST(Coordinator, TakesAnEarlyReportOnlyAfterThoseBeforeIt)
{
    Bench bench{one_rung(3), 2, costs({20, 10, 5})};
    bench.coordinator.on_join(0, 2);
    ASSERT_THAT(bench.coordinator.take_assignments(), SizeIs(2));
    bench.coordinator.on_report(0, scored(0));
    EXPECT_EQ(bench.study.trials()[0].state, search::TrialState::running);
    bench.coordinator.on_report(0, scored(1));
    // Trial 1 ended at time 10; trial 2 took its slot and ends at 15, still before trial 0.
    EXPECT_EQ(bench.study.trials()[1].state, search::TrialState::complete);
    EXPECT_EQ(bench.study.trials()[0].state, search::TrialState::running);
    EXPECT_THAT(numbers(bench.coordinator.take_assignments()), ElementsAre(2));
    bench.coordinator.on_report(0, scored(2));
    EXPECT_EQ(bench.study.trials()[0].state, search::TrialState::complete);
    EXPECT_TRUE(bench.coordinator.done());
}

TEST(Coordinator, OrdersEqualVirtualTimesBySlot)
{
    Bench bench{one_rung(2), 2, costs({10, 10})};
    bench.coordinator.on_join(0, 2);
    ASSERT_THAT(bench.coordinator.take_assignments(), SizeIs(2));
    bench.coordinator.on_report(0, scored(1));
    EXPECT_EQ(bench.study.trials()[1].state, search::TrialState::running);
    bench.coordinator.on_report(0, scored(0));
    EXPECT_TRUE(bench.coordinator.done());
}

TEST(Coordinator, DropsReportsThatNobodyWaitsFor)
{
    Bench bench{one_rung(2), 1, costs({10, 10})};
    bench.coordinator.on_join(1, 1);
    bench.coordinator.on_join(2, 1);
    const auto assignments = bench.coordinator.take_assignments();
    ASSERT_THAT(assignments, SizeIs(1));
    const int worker = assignments[0].worker;
    const int other = 3 - worker;

    bench.coordinator.on_report(other, scored(0, 5));  // not its task
    bench.coordinator.on_report(7, scored(0, 5));      // never joined
    auto next_rung = scored(0, 5);
    next_rung.rung = 1;
    bench.coordinator.on_report(worker, next_rung);
    bench.coordinator.on_report(worker, scored(99, 5));
    EXPECT_EQ(bench.study.trials()[0].state, search::TrialState::running);
    EXPECT_THAT(bench.coordinator.take_assignments(), IsEmpty());

    bench.coordinator.on_report(worker, scored(0, 1));
    bench.coordinator.on_report(worker, scored(0, 5));  // repeated
    EXPECT_EQ(bench.study.trials()[0].value, 1);
    EXPECT_EQ(bench.study.trials()[1].state, search::TrialState::running);
}

TEST(Coordinator, HandsOutTheTasksOfALostWorkerAgainAndDropsItsLateReport)
{
    Bench bench{one_rung(1), 1, costs({10})};
    bench.coordinator.on_join(1, 1);
    ASSERT_THAT(bench.coordinator.take_assignments(), SizeIs(1));
    bench.coordinator.on_lost(1);
    EXPECT_THAT(bench.coordinator.take_assignments(), IsEmpty());  // nobody is there
    bench.coordinator.on_join(2, 1);
    const auto again = bench.coordinator.take_assignments();
    ASSERT_THAT(again, SizeIs(1));
    EXPECT_EQ(again[0].worker, 2);
    bench.coordinator.on_report(1, scored(0, 5));
    EXPECT_FALSE(bench.coordinator.done());
    bench.coordinator.on_report(2, scored(0, 1));
    EXPECT_TRUE(bench.coordinator.done());
    EXPECT_EQ(bench.study.trials()[0].value, 1);
}

TEST(Coordinator, GivesNoMoreThanTheCapacity)
{
    Bench bench{one_rung(8), 8};
    bench.coordinator.on_join(1, 2);
    EXPECT_THAT(bench.coordinator.take_assignments(), SizeIs(2));
    EXPECT_THAT(bench.coordinator.take_assignments(), IsEmpty());
    bench.coordinator.on_join(1, 3);  // joined again: it starts with nothing
    EXPECT_THAT(bench.coordinator.take_assignments(), SizeIs(3));
    bench.coordinator.on_join(2, 0);
    EXPECT_THAT(bench.coordinator.take_assignments(), IsEmpty());
}

TEST(Coordinator, StopsWithWhatIsInFlightLeftRunning)
{
    Bench bench{one_rung(5), 2};
    bench.coordinator.on_join(0, 1);
    ASSERT_THAT(bench.coordinator.take_assignments(), SizeIs(1));
    bench.coordinator.stop();
    EXPECT_TRUE(bench.coordinator.done());
    EXPECT_EQ(bench.coordinator.in_flight(), 2);
    EXPECT_THAT(bench.coordinator.take_assignments(), IsEmpty());
    bench.coordinator.on_report(0, scored(0));
    bench.coordinator.on_lost(0);
    EXPECT_THAT(bench.coordinator.take_assignments(), IsEmpty());
    for (const auto& trial : bench.study.trials())
        EXPECT_EQ(trial.state, search::TrialState::running);
}

TEST(Coordinator, AStudyWithoutTrialsIsDoneAtOnce)
{
    Bench bench{one_rung(0), 4};
    EXPECT_TRUE(bench.coordinator.done());
    EXPECT_EQ(bench.coordinator.in_flight(), 0);
}

TEST(Coordinator, RefusesACostThatCantBeOrdered)
{
    EXPECT_THROW(Bench(one_rung(1), 1, [](const search::Trial&, int) { return NAN; }),
                 std::logic_error);
    EXPECT_THROW(Bench(one_rung(1), 1, [](const search::Trial&, int) { return -1.0; }),
                 std::logic_error);
}

/// Workers that take any time over anything, die, and come back.
class RandomCluster {
public:
    RandomCluster(Coordinator& coordinator, std::uint64_t seed)
        : coordinator_(coordinator), random_(seed, Purpose::synthetic_bars)
    {
        workers_ = 1 + static_cast<int>(random_.below(8));
    }

    /// Plays until `done`, or for `events` events.
    void play(int events)
    {
        for (; events > 0 && !coordinator_.done(); --events) {
            const int worker = static_cast<int>(random_.below(static_cast<unsigned>(workers_)));
            const auto dice = random_.below(100);
            if (dice < 4) {
                coordinator_.on_lost(worker);
            } else if (dice < 20) {
                coordinator_.on_join(worker, 1 + static_cast<int>(random_.below(4)));
            } else if (!given_.empty()) {
                report_any(dice < 90);
            }
            for (auto& assignment : coordinator_.take_assignments())
                given_.push_back(std::move(assignment));
        }
    }

private:
    /// Any task ever given, also of workers that were lost since; some again and again.
    void report_any(bool forget)
    {
        const auto index = random_.below(given_.size());
        const auto at = given_.begin() + static_cast<std::ptrdiff_t>(index);
        coordinator_.on_report(at->worker, safe_toy_report(at->task));
        if (forget) given_.erase(at);
    }

    Coordinator& coordinator_;
    RandomStream random_;
    int workers_;
    std::vector<Assignment> given_;
};

constexpr int plenty = 1'000'000;

TEST(Coordinator, AnyTimingLossesAndNumberOfWorkersGiveTheLedgerOfOneWorkerInOrder)
{
    for (const int slots : {1, 3, 8}) {
        const auto expected = ledger_of_one_worker(30, slots);
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            Bench bench{toy_plan(30), slots};
            RandomCluster{bench.coordinator, seed}.play(plenty);
            ASSERT_TRUE(bench.coordinator.done()) << "slots " << slots << " seed " << seed;
            ASSERT_EQ(bench.records(), expected) << "slots " << slots << " seed " << seed;
        }
    }
}

TEST(Coordinator, GoesOnFromTheLedgerOfAKilledRunWithoutRunningAReportAgain)
{
    const auto expected = ledger_of_one_worker(30, 4);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const ScratchFolder folder;
        const auto path = folder.path / "ledger.jsonl";
        std::size_t starts = 0;
        for (bool done = false; !done; ++starts) {
            search::Ledger ledger{path};
            search::Study study{toy_plan(30), ledger};
            Coordinator coordinator{study, 4, toy_cost};
            coordinator.on_join(0, 4);
            for (const auto& [worker, task] : coordinator.take_assignments()) {
                EXPECT_FALSE(study.recorded(task.trial.number, task.rung));
            }
            RandomCluster{coordinator, seed * 1000 + starts}.play(40);
            done = coordinator.done();
            ledger.commit();
        }
        EXPECT_GT(starts, 1U);
        ASSERT_EQ(comparable(path), expected) << "seed " << seed;
    }
}

TEST(Coordinator, AFinishedStudyIsDoneFromItsLedgerAlone)
{
    const ScratchFolder folder;
    const auto path = folder.path / "ledger.jsonl";
    for (const bool first : {true, false}) {
        search::Ledger ledger{path};
        search::Study study{toy_plan(20), ledger};
        Coordinator coordinator{study, 4, toy_cost};
        EXPECT_EQ(coordinator.done(), !first);
        RandomCluster{coordinator, 3}.play(plenty);
        ledger.commit();
    }
}

TEST(Coordinator, AFinishedStudyGoesOnWithMoreTrialsAndThenRepeatsItself)
{
    const ScratchFolder folder;
    const auto path = folder.path / "ledger.jsonl";
    std::vector<std::string> records;
    for (const std::int64_t trials : {10, 25, 25}) {
        search::Ledger ledger{path};
        search::Study study{toy_plan(trials), ledger};
        Coordinator coordinator{study, 4, toy_cost};
        EXPECT_EQ(coordinator.done(), !records.empty());
        RandomCluster{coordinator, 3}.play(plenty);
        EXPECT_EQ(study.trials().size(), static_cast<std::size_t>(trials));
        ledger.commit();
        if (trials == 25) records = comparable(path);
    }
    EXPECT_EQ(comparable(path), records);
}

}  // namespace
}  // namespace barsweep::cluster
