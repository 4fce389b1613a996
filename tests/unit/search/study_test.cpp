#include "search/study.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <set>

#include "base/error.hpp"
#include "study_fixture.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

/// A study whose trials get the scores given, by rung, and whose pruner is off unless set.
struct Fixture {
    TemporaryFolder folder;
    StudyPlan plan = small_plan();
    std::optional<Ledger> ledger;
    std::optional<Study> study;

    Fixture() { plan.pruner = {}; }

    Study& open()
    {
        study.reset();
        ledger.emplace(folder / "l");
        return study.emplace(plan, *ledger);
    }

    Decision tell(std::int64_t trial, int rung, double score, double seconds = 0.5)
    {
        Report report;
        report.trial = trial;
        report.rung = rung;
        report.score = score;
        report.reason = std::isfinite(score) ? "" : "too few trades";
        report.seconds = seconds;
        return study->tell(report);
    }

    /// Both rungs of the next trial.
    void complete(double score)
    {
        const auto number = study->ask().value().number;
        tell(number, 0, score);
        tell(number, 1, score);
    }

    std::string text()
    {
        ledger->commit();
        return read(folder / "l");
    }
};

std::string refusal(const std::filesystem::path& path, const StudyPlan& plan)
{
    try {
        start(path, plan);
    } catch (const UserError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST(Study, HandsOutAsManyTrialsAsAskedAndNumbersThem)
{
    Fixture f;
    auto& study = f.open();
    std::set<Params> params;
    for (int number = 0; number < 6; ++number) {
        const auto trial = study.ask();
        ASSERT_TRUE(trial);
        EXPECT_EQ(trial->number, number);
        params.insert(trial->params);
    }
    EXPECT_THAT(params, SizeIs(6));
    EXPECT_EQ(study.ask(), std::nullopt);
}

TEST(Study, EndsWithASpentGrid)
{
    Fixture f;
    f.plan.space = parse_space({{"rule", "choice a b c"}}, "job.ini");
    f.plan.sampler.kind = SamplerKind::grid;
    auto& study = f.open();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(study.ask());
    EXPECT_EQ(study.ask(), std::nullopt);
}

TEST(Study, RecordsWhatOptunaReads)
{
    Fixture f;
    auto& study = f.open();
    study.ask();
    f.tell(0, 0, 1.5);
    f.tell(0, 1, 2);
    const auto lines = stable(f.text());
    ASSERT_THAT(lines, SizeIs(1 + 4 + 1 + 3 + 2 + 2 + 1));
    EXPECT_EQ(lines[0],
              R"({"op_code":0,"worker_id":"barsweep","study_name":"small","directions":[2]})");
    EXPECT_EQ(
        lines[2],
        R"({"op_code":2,"worker_id":"barsweep","study_id":0,"user_attr":{"study.trials":6}})");
    EXPECT_EQ(lines[5], R"({"op_code":4,"worker_id":"barsweep","study_id":0)");
    EXPECT_THAT(lines[6], HasSubstr(R"("trial_id":0,"param_name":"fast","param_value_internal":)"));
    EXPECT_THAT(
        lines[6],
        HasSubstr(
            R"(,"distribution":"{\"name\": \"IntDistribution\", \"attributes\": {\"log\": false, \"step\": 1, \"low\": 2, \"high\": 40}}"})"));
    EXPECT_EQ(
        lines[9],
        R"({"op_code":8,"worker_id":"barsweep","trial_id":0,"user_attr":{"rung_0":{"score":1.5,"reason":"","failure":"","metrics":{},"check":"e2fd0da182805a70")");
    EXPECT_EQ(
        lines[10],
        R"({"op_code":7,"worker_id":"barsweep","trial_id":0,"step":100,"intermediate_value":1.5})");
    EXPECT_EQ(lines[13],
              R"({"op_code":6,"worker_id":"barsweep","trial_id":0,"state":1,"values":[2.0])");
}

TEST(Study, AnUndefinedScoreAtTheLastRungIsAFailureWithItsReason)
{
    Fixture f;
    auto& study = f.open();
    study.ask();
    EXPECT_EQ(f.tell(0, 0, std::nan("")), Decision::go_on);
    EXPECT_EQ(f.tell(0, 1, std::nan("")), Decision::finished);
    EXPECT_EQ(study.trials()[0].state, TrialState::fail);
    EXPECT_THAT(study.trials()[0].cause,
                HasSubstr("no score: too few trades (rung 1, 300 bars; fast = "));
    EXPECT_EQ(study.best(), nullptr);
    EXPECT_THAT(f.text(), HasSubstr(R"("step":100,"intermediate_value":NaN})"));
}

TEST(Study, AnInfiniteScoreIsUndefined)
{
    Fixture f;
    auto& study = f.open();
    study.ask();
    f.tell(0, 0, 1);
    f.tell(0, 1, std::numeric_limits<double>::infinity());
    EXPECT_EQ(study.trials()[0].state, TrialState::fail);
}

TEST(Study, AFailureEndsItsTrialWithCauseRungAndParametersAndTheStudyGoesOn)
{
    Fixture f;
    auto& study = f.open();
    study.ask();
    Report report;
    report.failure = "window longer than the data";
    EXPECT_EQ(study.tell(report), Decision::finished);
    EXPECT_EQ(study.trials()[0].state, TrialState::fail);
    EXPECT_THAT(study.trials()[0].cause,
                AllOf(HasSubstr("window longer than the data (rung 0, 100 bars; fast = "),
                      HasSubstr(", gamma = "), HasSubstr(", rule = ")));
    EXPECT_THAT(study.trials()[0].rungs, IsEmpty());
    f.complete(1);
    EXPECT_EQ(study.best()->trial.number, 1);
}

TEST(Study, ATrialThatComputesTooLongFails)
{
    Fixture f;
    f.plan.trial_timeout = 10;
    auto& study = f.open();
    study.ask();
    EXPECT_EQ(f.tell(0, 0, 1, 6), Decision::go_on);
    EXPECT_EQ(f.tell(0, 1, 1, 6), Decision::finished);
    EXPECT_EQ(study.trials()[0].state, TrialState::fail);
    EXPECT_THAT(study.trials()[0].cause,
                HasSubstr("computing took 12 s, more than trial_timeout = 10 s"));
}

TEST(Study, ACutTrialIsPrunedWithoutAValue)
{
    Fixture f;
    f.plan.pruner = {PrunerKind::halving, 2, 5, 0};
    auto& study = f.open();
    f.complete(3);
    study.ask();
    EXPECT_EQ(f.tell(1, 0, 2), Decision::finished);
    EXPECT_EQ(study.trials()[1].state, TrialState::pruned);
    EXPECT_THAT(study.trials()[1].cause, HasSubstr("score 2 at step 100"));
    EXPECT_THAT(f.text(), HasSubstr(R"("trial_id":1,"state":2,"values":null)"));
}

TEST(Study, AMinimisingStudyCutsAndSelectsTheOtherWay)
{
    Fixture f;
    f.plan.direction = Direction::minimize;
    f.plan.pruner = {PrunerKind::halving, 2, 5, 0};
    auto& study = f.open();
    f.complete(3);
    f.complete(2);
    study.ask();
    EXPECT_EQ(f.tell(2, 0, 4), Decision::finished);
    EXPECT_EQ(study.best()->trial.number, 1);
}

TEST(Study, TiesGoToTheLowerNumber)
{
    Fixture f;
    auto& study = f.open();
    for (const double value : {1.0, 2.0, 2.0}) f.complete(value);
    EXPECT_EQ(study.best()->trial.number, 1);
}

TEST(Study, AReportThatIsNotDueIsABug)
{
    Fixture f;
    auto& study = f.open();
    study.ask();
    EXPECT_THROW(f.tell(0, 1, 1), std::logic_error);
    f.tell(0, 0, 1);
    EXPECT_THROW(f.tell(0, 0, 1), std::logic_error);
    EXPECT_THROW(f.tell(7, 0, 1), std::out_of_range);
}

TEST(Study, GivesBackARecordedReportToTheLastBit)
{
    Fixture f;
    f.open().ask();
    Report report;
    report.score = 0.1 + 0.2;
    report.reason = "why \"not\" NaN\n";
    report.metrics = {{"max_drawdown", 1e-300}, {"sharpe", -1.0 / 3}};
    report.seconds = 1.0 / 7;
    report.rank = 3;
    report.device = "NVIDIA L4";
    f.study->tell(report);
    f.ledger->commit();

    f.open().ask();
    const auto again = f.study->recorded(0, 0).value();
    EXPECT_EQ(again.score, report.score);
    EXPECT_EQ(again.reason, report.reason);
    EXPECT_EQ(again.metrics, report.metrics);
    EXPECT_EQ(again.seconds, report.seconds);
    EXPECT_EQ(again.rank, 3);
    EXPECT_EQ(again.device, report.device);
    EXPECT_EQ(f.study->recorded(0, 1), std::nullopt);
}

TEST(Study, ARecordedReportThatIsComputedAgainMustBeEqual)
{
    Fixture f;
    f.open().ask();
    f.tell(0, 0, 1);
    f.ledger->commit();
    f.open().ask();
    EXPECT_THROW(f.tell(0, 0, 1.0000000000000002), UserError);
}

TEST(Study, ASecondStartRunsNothingAgainAndChangesNoByte)
{
    TemporaryFolder folder;
    EXPECT_GT(start(folder / "l"), 0);
    const std::string text = read(folder / "l");
    EXPECT_EQ(start(folder / "l"), 0);
    EXPECT_EQ(read(folder / "l"), text);
}

TEST(Study, AChangedJobIsRefusedNamingKeyOldAndNew)
{
    TemporaryFolder folder;
    start(folder / "l");
    const std::string text = read(folder / "l");
    auto plan = small_plan();
    plan.identity["data.sha256"] = "cd34";
    EXPECT_THAT(
        refusal(folder / "l", plan),
        HasSubstr("data.sha256: expected \"ab12\", with which this study began, found \"cd34\""));

    plan = small_plan();
    plan.identity["agent.kind"] = "rule";
    EXPECT_THAT(refusal(folder / "l", plan), HasSubstr("agent.kind: expected nothing"));

    EXPECT_THAT(refusal(folder / "l", small_plan(5)),
                HasSubstr("study.trials: expected 6, with which"));
    EXPECT_EQ(read(folder / "l"), text);
}

TEST(Study, AChangedSpaceIsRefusedByLineAndParameter)
{
    TemporaryFolder folder;
    start(folder / "l");
    auto plan = small_plan();
    plan.space = parse_space(
        {{"fast", "int 2 41"}, {"gamma", "float 0.9 0.999"}, {"rule", "choice a b"}}, "j");
    EXPECT_THAT(refusal(folder / "l", plan),
                AllOf(HasSubstr("l:7: "), HasSubstr(R"("param_name":"fast")")));
}

TEST(Study, AnotherTimeoutIsNoOtherStudy)
{
    TemporaryFolder folder;
    start(folder / "l");
    const std::string text = read(folder / "l");
    auto plan = small_plan();
    plan.identity["study.timeout"] = "4h";
    EXPECT_EQ(start(folder / "l", plan), 0);
    EXPECT_EQ(read(folder / "l"), text);
}

TEST(Study, MoreTrialsGoOnAfterTheFirstOnesAndTheSameAgainOnEveryStart)
{
    TemporaryFolder folder;
    start(folder / "l", small_plan(6));
    const std::string text = read(folder / "l");
    EXPECT_GT(start(folder / "l", small_plan(12)), 0);
    const std::string more = read(folder / "l");
    EXPECT_TRUE(more.starts_with(text));
    EXPECT_EQ(start(folder / "l", small_plan(12)), 0);
    EXPECT_EQ(read(folder / "l"), more);
    EXPECT_THAT(refusal(folder / "l", small_plan(9)),
                HasSubstr("study.trials: expected at least the 12 trials of this study"));
}

TEST(Study, NotesAFactOnceAndAChangedOneAgain)
{
    Fixture f;
    f.open().note("opened", "2026-01-01");
    f.study->note("opened", "2026-01-01");
    f.ledger->commit();
    f.open().note("opened", "2026-01-01");
    EXPECT_EQ(f.study->noted("opened"), "2026-01-01");
    EXPECT_TRUE(f.study->noted("winner").is_null());
    EXPECT_THAT(lines_of(f.text()), SizeIs(1 + 4 + 1));
    f.study->note("opened", "2026-01-02");
    EXPECT_THAT(lines_of(f.text()), SizeIs(1 + 4 + 2));
    EXPECT_EQ(f.open().noted("opened"), "2026-01-02");
}

TEST(Study, LoadsTwentyThousandTrialsInSeconds)
{
    TemporaryFolder folder;
    auto plan = small_plan(20'000);
    plan.rungs = {100, 300, 900};
    plan.pruner = {};
    const auto compute = [](const Trial& trial, int rung) {
        Report report = report_of(trial, rung);
        report.failure.clear();
        report.score = std::get<double>(trial.params.at("gamma"));
        return report;
    };
    {
        Ledger ledger(folder / "l");
        Study study(plan, ledger);
        while (const auto trial = study.ask())
            for (int rung = 0; rung < 3; ++rung) study.tell(compute(*trial, rung));
        ledger.commit();
    }
    const auto begun = std::chrono::steady_clock::now();
    Ledger ledger(folder / "l");
    Study study(plan, ledger);
    int recorded = 0;
    while (const auto trial = study.ask())
        for (int rung = 0; rung < 3; ++rung, ++recorded)
            study.tell(study.recorded(trial->number, rung).value());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    RecordProperty("seconds", std::to_string(took.count()));
    EXPECT_EQ(recorded, 60'000);
    EXPECT_EQ(ledger.next_recorded(), nullptr);
    EXPECT_LT(took.count(), 30) << "a bound that a machine under sanitizers and load keeps too";
}
