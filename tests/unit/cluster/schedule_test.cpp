#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <random>
#include <set>

#include "cluster/coordinator.hpp"
#include "search/read_trials.hpp"
#include "tests/ranks/toy_study.hpp"

namespace barsweep::cluster {
namespace {

using testing::HasSubstr;

/// Workers whose every task takes its cost times e^(0.1 z), z standard normal: in virtual time, to
/// the end.
class NoisyCluster {
public:
    NoisyCluster(Coordinator& coordinator, RungCost cost, int workers, std::uint64_t seed)
        : coordinator_(coordinator), cost_(std::move(cost)), workers_(workers), random_(seed)
    {
        for (int worker = 0; worker < workers; ++worker) coordinator_.on_join(worker, 1);
    }

    /// At most `reports` of them.
    void play(int reports)
    {
        for (hand_out(); reports > 0 && !running_.empty(); --reports) {
            const auto [end, index] = running_.top();
            running_.pop();
            now_ = end;
            const auto& [worker, task] = given_[index];
            auto report = safe_toy_report(task);
            report.replicate = task.replicate;
            if (report.failure.empty() && std::isfinite(report.score))
                report.score += 0.01 * task.replicate;
            coordinator_.on_report(worker, report);
            hand_out();
        }
    }

    /// Computed time by time and workers.
    double busy() const { return computed_ / (now_ * workers_); }
    const std::vector<Assignment>& given() const { return given_; }

private:
    void hand_out()
    {
        for (auto& assignment : coordinator_.take_assignments()) {
            const double took = cost_(assignment.task.trial, assignment.task.rung) *
                                std::lognormal_distribution<>{0, 0.1}(random_);
            computed_ += took;
            running_.emplace(now_ + took, given_.size());
            given_.push_back(std::move(assignment));
        }
    }

    using Ending = std::pair<double, std::size_t>;

    Coordinator& coordinator_;
    RungCost cost_;
    int workers_;
    std::mt19937_64 random_;
    std::vector<Assignment> given_;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> running_;
    double now_ = 0, computed_ = 0;
};

/// Rungs of 30, 70 and 200; networks of three widths.
double mixed_cost(const search::Trial& trial, int rung)
{
    const double steps[] = {30, 70, 200}, width[] = {0.15, 0.4, 1};
    return steps[rung] * width[fast(trial) % 3];
}

double busy_share(Schedule schedule)
{
    const ScratchFolder folder;
    search::Ledger ledger{folder.path / "ledger.jsonl"};
    search::Study study{toy_plan(3000), ledger};
    Coordinator coordinator{study, 16, mixed_cost, schedule};
    NoisyCluster cluster{coordinator, mixed_cost, 16, 5};
    cluster.play(1'000'000);
    EXPECT_TRUE(coordinator.done());
    return cluster.busy();
}

TEST(Schedule, OrderedKeepsSixteenSlotsOfMixedWidthsBusy)
{
    const double ordered = busy_share(Schedule::ordered), eager = busy_share(Schedule::eager);
    EXPECT_GE(ordered, 0.85);
    EXPECT_GT(eager, ordered);
    EXPECT_GE(eager, 0.97);
    RecordProperty("ordered", std::to_string(ordered));
    RecordProperty("eager", std::to_string(eager));
}

TEST(Schedule, EagerTakesReportsAsTheyCome)
{
    const ScratchFolder folder;
    search::Ledger ledger{folder.path / "ledger.jsonl"};
    auto plan = toy_plan(3);
    plan.rungs = {100};
    search::Study study{plan, ledger};
    const double costs[] = {1, 2, 3};
    Coordinator coordinator{study, 3,
                            [&](const search::Trial& trial, int) { return costs[trial.number]; },
                            Schedule::eager};
    coordinator.on_join(0, 3);
    ASSERT_EQ(coordinator.take_assignments().size(), 3u);
    EXPECT_EQ(coordinator.computing(1), 2);
    EXPECT_EQ(coordinator.computing(0), 3);
    search::Report report;
    report.trial = 2;
    report.score = 1;
    coordinator.on_report(0, report);
    EXPECT_EQ(study.trials()[2].state, search::TrialState::complete);
    EXPECT_EQ(study.trials()[0].state, search::TrialState::running);
}

/// A study under the schedule, stopped after every `reports` of them and started again; each start
/// has other timing. Returns the ledger.
std::vector<std::string> in_parts(search::StudyPlan plan, Schedule schedule, int reports,
                                  std::uint64_t seed, const std::filesystem::path& path)
{
    std::set<std::tuple<std::int64_t, int, int>> told;
    for (bool done = false; !done; ++seed) {
        search::Ledger ledger{path};
        const auto before = comparable(path);
        search::Study study{plan, ledger};
        Coordinator coordinator{study, 6, mixed_cost, schedule};
        NoisyCluster cluster{coordinator, mixed_cost, 5, seed};
        cluster.play(reports);
        done = coordinator.done();
        ledger.commit();
        for (const auto& [worker, task] : cluster.given())
            EXPECT_FALSE(told.contains({task.trial.number, task.rung, task.replicate}));
        for (const auto& record : study.trials())
            for (int rung = 0; rung < static_cast<int>(record.rungs.size()); ++rung)
                for (int one = 0; one < plan.replicates; ++one)
                    told.insert({record.trial.number, rung, one});
        const auto after = comparable(path);
        EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
    }
    return comparable(path);
}

TEST(Schedule, EagerGoesOnFromTheOrderThatTheLedgerHas)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const ScratchFolder folder;
        const auto path = folder.path / "ledger.jsonl";
        const auto records = in_parts(toy_plan(30), Schedule::eager, 13, 100 * seed, path);
        EXPECT_EQ(in_parts(toy_plan(30), Schedule::eager, 1, 7, path), records);
        for (const auto& record : search::read_trials(path))
            EXPECT_NE(record.state, search::TrialState::running);
    }
}

TEST(Schedule, PromotionsAreTheSameForAnyTimingAndNumberOfStarts)
{
    auto plan = toy_plan(40);
    plan.pruner = {search::PrunerKind::asha, 3};
    std::optional<std::vector<std::string>> expected;
    for (const int reports : {1'000'000, 17, 5}) {
        const ScratchFolder folder;
        const auto records = in_parts(plan, Schedule::ordered, reports,
                                      static_cast<std::uint64_t>(reports), folder.path / "l");
        if (!expected) expected = records;
        EXPECT_EQ(records, *expected);
    }
    EXPECT_GT(std::ranges::count_if(
                  *expected, [](const auto& line) { return line.find("promoted_") != line.npos; }),
              10);
}

TEST(Schedule, ATrialsReplicatesTakeASlotEachAndScoreTogether)
{
    auto plan = toy_plan(12);
    plan.replicates = 3;
    plan.pruner = {};
    std::optional<std::vector<std::string>> expected;
    for (const int reports : {1'000'000, 7}) {
        const ScratchFolder folder;
        const auto path = folder.path / "l";
        const auto records = in_parts(plan, Schedule::ordered, reports, 3, path);
        if (!expected) expected = records;
        EXPECT_EQ(records, *expected);
        search::Ledger ledger{path};
        search::Study study{plan, ledger};
        Coordinator coordinator{study, 6, mixed_cost};
        EXPECT_EQ(coordinator.slots(), 6);
        std::size_t complete = 0;
        for (const auto& record : study.trials()) {
            if (record.state != search::TrialState::complete) continue;
            ++complete;
            const auto first = toy_report({0, 2, record.trial}).score;
            EXPECT_NEAR(record.value, first + 0.01, 1e-12);  // of 0, 0.01 and 0.02 more
        }
        EXPECT_GT(complete, 5u);
        EXPECT_EQ(search::read_recorded(path, 0).rungs.size(), 9u);
    }
}

}  // namespace
}  // namespace barsweep::cluster
