#include "report/summary.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "base/error.hpp"
#include "report/csv.hpp"
#include "report/ranking.hpp"
#include "report/table.hpp"

namespace barsweep::report {
namespace {

using search::TrialRecord;
using search::TrialState;

TrialRecord trial(std::int64_t number, TrialState state, std::vector<search::RungScore> rungs,
                  std::string cause = {})
{
    TrialRecord record;
    record.trial = {number, {{"agent.fast", std::int64_t{5 + number}}, {"account.stop", 0.1}}};
    record.state = state;
    record.value = rungs.empty() ? 0 : rungs.back().score;
    record.rungs = std::move(rungs);
    record.cause = std::move(cause);
    record.seconds = 0.5;
    return record;
}

Summary study()
{
    Summary summary;
    summary.study = "demo";
    summary.score = "sharpe";
    summary.trials = {
        trial(0, TrialState::complete, {{100, 0.5}, {300, 1.25}}),
        trial(1, TrialState::pruned, {{100, -1.0}}, "rung 100: below"),
        trial(2, TrialState::fail, {}, "agent.fast \"10\", above"),
        trial(3, TrialState::complete, {{100, 0.25}, {300, 2.5}}),
        trial(4, TrialState::pruned, {{100, std::nan("")}}, "no score"),
        trial(5, TrialState::running, {}),
    };
    summary.best = 3;
    summary.validation = {
        {{{"sharpe", 2.5}}, {}}, {{{"sharpe", 1.0}}, {}}, {{}, {{"sharpe", "no deviation"}}}};
    summary.test = {
        {{{"sharpe", 0.75}}, {}}, {{{"sharpe", 1.5}}, {}}, {{}, {{"sharpe", "no deviation"}}}};
    summary.verdict = "nothing here";
    summary.seconds = 2;
    summary.steps = 1000;
    return summary;
}

std::vector<std::int64_t> order(const Summary& summary)
{
    std::vector<std::int64_t> numbers;
    for (const auto* record : ranked(summary)) numbers.push_back(record->trial.number);
    return numbers;
}

TEST(Ranking, PutsTheBestCompleteTrialFirstAndAnUndefinedScoreLastOfItsKind)
{
    EXPECT_THAT(order(study()), testing::ElementsAre(3, 0, 1, 4, 2, 5));
}

TEST(Ranking, PutsTheLeastFirstWhereTheStudyMinimises)
{
    auto summary = study();
    summary.direction = search::Direction::minimize;
    EXPECT_THAT(order(summary), testing::ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(Ranking, GivesATieToTheLowerNumber)
{
    auto summary = study();
    summary.trials[0].value = 2.5;
    EXPECT_THAT(order(summary), testing::ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(SummaryJson, HasTheKeysThatOthersRelyOn)
{
    const auto json = to_json(study());
    EXPECT_EQ(json["trials"]["complete"], 2);
    EXPECT_EQ(json["trials"]["pruned"], 2);
    EXPECT_EQ(json["trials"]["fail"], 1);
    EXPECT_EQ(json["best"]["trial"], 3);
    EXPECT_EQ(json["best"]["params"]["agent.fast"], 8);
    EXPECT_EQ(json["best"]["score"], 2.5);
    EXPECT_EQ(json["best"]["validation"]["sharpe"], 2.5);
    EXPECT_EQ(json["best"]["test"]["sharpe"], 0.75);
    EXPECT_EQ(json["verdict"], "nothing here");
    EXPECT_EQ(json["seconds"], 2);
    EXPECT_EQ(json["steps_per_second"], 500);
}

TEST(SummaryJson, WritesAnUndefinedMetricAsNullWithItsReason)
{
    const auto json = to_json(study());
    EXPECT_TRUE(json["flat"]["test"]["sharpe"].is_null());
    EXPECT_EQ(json["flat"]["test"]["sharpe_reason"], "no deviation");
}

TEST(SummaryJson, HasNoBestWhereNoTrialPassed)
{
    auto summary = study();
    summary.best.reset();
    EXPECT_TRUE(to_json(summary)["best"].is_null());
}

TEST(SummaryJson, ReadsBackWhatItWrote)
{
    auto read = from_json(to_json(study()), "summary.json");
    read.trials = study().trials;
    EXPECT_EQ(to_json(read), to_json(study()));
}

TEST(SummaryJson, RefusesAFileOfSomethingElseNamingTheKey)
{
    try {
        from_json({{"study", "x"}}, "DIR/summary.json");
        FAIL() << "accepted";
    } catch (const UserError& error) {
        EXPECT_STREQ(
            error.what(),
            "DIR/summary.json: expected a summary written by `barsweep sweep`, found a file "
            "without the key 'score'. To fix: run the sweep again on this folder: it answers "
            "from its ledger.");
    }
}

TEST(SummaryJson, RefusesAValueOfAnotherKind)
{
    auto json = to_json(Summary{});
    json["seconds"] = "many";
    EXPECT_THROW(from_json(json, "DIR/summary.json"), UserError);
}

TEST(Table, AlignsNumbersRightAndWordsLeft)
{
    EXPECT_EQ(align({{"trial", "state", "note"}, {"7", "fail", "a b"}, {"12", "complete", ""}}),
              "trial  state     note\n"
              "    7  fail      a b\n"
              "   12  complete\n");
}

TEST(Table, ShowsTheFirstTrialsAndCountsTheRest)
{
    EXPECT_EQ(trials_table(study(), 2),
              "trial  state     sharpe  bars  account.stop  agent.fast  cause\n"
              "    3  complete     2.5   300           0.1           8\n"
              "    0  complete    1.25   300           0.1           5\n"
              "... and 4 more: 2 pruned, 1 fail, 1 running\n");
}

TEST(Table, PutsTheWinnerBesideBuyAndHoldAndFlat)
{
    EXPECT_EQ(winner_table(study()),
              "winner: trial 3, sharpe 2.5, account.stop 0.1, agent.fast 8\n"
              "\n"
              "        validation  buy and hold  flat  test  buy and hold  flat\n"
              "sharpe         2.5             1     -  0.75           1.5     -\n"
              "\n"
              "verdict: nothing here\n");
}

TEST(Csv, HasOneRowATrialAndQuotesWhatNeedsIt)
{
    auto summary = study();
    summary.trials[0].last.emplace().metrics = {{"trades", 12}};
    EXPECT_EQ(trials_csv(summary),
              "trial,state,value,bars,seconds,account.stop,agent.fast,metric.trades,cause\n"
              "0,complete,1.25,300,0.5,0.1,5,12,\n"
              "1,pruned,-1,100,0.5,0.1,6,,rung 100: below\n"
              "2,fail,,,0.5,0.1,7,,\"agent.fast \"\"10\"\", above\"\n"
              "3,complete,2.5,300,0.5,0.1,8,,\n"
              "4,pruned,,100,0.5,0.1,9,,no score\n"
              "5,running,,,0.5,0.1,10,,\n");
}

}  // namespace
}  // namespace barsweep::report
