#include "search/promotions.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "search/pruner.hpp"
#include "search/read_trials.hpp"
#include "study_fixture.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const std::vector<std::int64_t> steps{100, 300, 900};

StudyPlan asha_plan(std::int64_t trials)
{
    auto plan = small_plan(trials);
    plan.rungs = steps;
    plan.pruner = {PrunerKind::asha, 3};
    return plan;
}

Report scored(const Trial& trial, int rung, double score)
{
    Report report;
    report.trial = trial.number;
    report.rung = rung;
    report.score = score;
    report.reason = std::isfinite(score) ? "" : "too few trades";
    return report;
}

/// Scores that mix: a later trial may be better or worse than all before.
Report mixed(const Trial& trial, int rung)
{
    const auto n = trial.number * 7919 % 101;
    return scored(trial, rung, n == 50 ? std::nan("") : static_cast<double>(n + 3 * rung));
}

/// Runs trials one by one, at most `rungs` rungs in this start. How many it ran.
int run(Study& study, Ledger& ledger, int rungs = 1'000'000)
{
    int ran = 0;
    while (ran < rungs) {
        const auto trial = study.ask();
        ledger.commit();
        if (!trial) break;
        for (auto decision = Decision::go_on; decision == Decision::go_on && ran < rungs;) {
            const int rung = study.due(trial->number);
            const auto known = study.recorded(trial->number, rung);
            ran += !known;
            decision = study.tell(known.value_or(mixed(*trial, rung)));
            ledger.commit();
        }
    }
    return ran;
}

}  // namespace

TEST(Rivals, AreSortedWhateverTheOrderAndTheirNumber)
{
    std::mt19937_64 random(3);
    std::vector<double> all;
    Rivals rivals;
    for (int i = 0; i < 5000; ++i) {
        const double score = rank_score(random() % 10 == 0 ? std::nan("") : double(random() % 700));
        all.push_back(score);
        rivals.insert(score);
    }
    std::ranges::sort(all);
    ASSERT_EQ(rivals.size(), all.size());
    for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(rivals.at(k), all[k]) << k;
    EXPECT_EQ(rivals.defined(), static_cast<std::size_t>(std::ranges::count_if(
                                    all, [](double x) { return std::isfinite(x); })));
}

TEST(Promotions, ATrialWaitsUntilItIsAmongTheBestThird)
{
    Promotions p(3, 3);
    EXPECT_FALSE(p.report(0, 0, 100, 5).goes_on);  // 0 of 1 go on
    EXPECT_FALSE(p.report(1, 0, 100, 4).goes_on);
    EXPECT_EQ(p.next(steps, false), std::nullopt);
    EXPECT_FALSE(p.report(2, 0, 100, 3).goes_on);
    const auto first = p.next(steps, false).value();  // 1 of 3
    EXPECT_EQ(first.trial, 0);
    EXPECT_EQ(first.told, "score 5 at step 100 is among the best 1 of 3, which begin at 5");
    p.promote(first);
    EXPECT_EQ(p.next(steps, false), std::nullopt);
    EXPECT_FALSE(p.report(3, 0, 100, 1).goes_on);
    EXPECT_FALSE(p.report(4, 0, 100, 2).goes_on);
    EXPECT_TRUE(p.report(5, 0, 100, 9).goes_on);    // the best of 6, at once
    EXPECT_EQ(p.next(steps, false), std::nullopt);  // 9 and 5 are the best 2
    EXPECT_EQ(p.next(steps, true), std::nullopt);
    p.report(0, 1, 300, 5);
    EXPECT_EQ(p.next(steps, false), std::nullopt);
    EXPECT_EQ(p.next(steps, true).value().rung, 1);  // nothing else will come
}

TEST(Promotions, AnUndefinedScoreIsNeverPromotedBeforeTheEnd)
{
    Promotions p(2, 2);
    const double undefined = rank_score(std::nan(""));
    for (std::int64_t n = 0; n < 4; ++n) EXPECT_FALSE(p.report(n, 0, 100, undefined).goes_on);
    EXPECT_EQ(p.next(steps, false), std::nullopt);
    EXPECT_TRUE(p.next(steps, true).has_value());
}

TEST(Asha, PausesRecordsPromotesAndPrunesWhatWaitsAtTheEnd)
{
    TemporaryFolder folder;
    const auto plan = asha_plan(3);
    {
        Ledger ledger(folder / "l");
        Study study(plan, ledger);
        const double scores[] = {5, 4, 3};
        for (const double score : scores) {
            const auto trial = study.ask().value();
            EXPECT_EQ(study.due(trial.number), 0);
            EXPECT_EQ(study.tell(scored(trial, 0, score)), Decision::paused);
            EXPECT_EQ(study.trials().back().state, TrialState::running);
        }
        const auto promoted = study.ask().value();
        EXPECT_EQ(promoted.number, 0);
        EXPECT_EQ(study.due(0), 1);
        EXPECT_EQ(study.tell(scored(promoted, 1, 6)), Decision::paused);
        const auto last = study.ask().value();  // nothing else can come
        EXPECT_EQ(last.number, 0);
        EXPECT_EQ(study.tell(scored(last, 2, 7)), Decision::finished);
        EXPECT_EQ(study.ask(), std::nullopt);
        ledger.commit();
        EXPECT_EQ(study.best()->trial.number, 0);
    }
    const auto told = read_trials(folder / "l");
    ASSERT_EQ(told.size(), 3u);
    EXPECT_EQ(told[0].state, TrialState::complete);
    EXPECT_THAT(told[0].cause,
                HasSubstr("score 6 at step 300 is among the best 1 of 1, which begin at 6"));
    for (const std::size_t n : {1u, 2u}) {
        EXPECT_EQ(told[n].state, TrialState::pruned);
        EXPECT_THAT(told[n].cause, HasSubstr("at step 100 isn't among the best 1 of 3, which begin "
                                             "at 5, at the study's end"));
    }
}

TEST(Asha, GoesOnExactlyAfterAnyStop)
{
    TemporaryFolder folder;
    const auto plan = asha_plan(40);
    {
        Ledger ledger(folder / "whole");
        Study study(plan, ledger);
        run(study, ledger);
    }
    const auto expected = stable(read(folder / "whole"));
    int starts = 0, promoted = 0;
    for (int ran = 1; ran > 0; ++starts) {
        Ledger ledger(folder / "parts");
        Study study(plan, ledger);
        ran = run(study, ledger, 5);
    }
    EXPECT_GT(starts, 8);
    EXPECT_EQ(stable(read(folder / "parts")), expected);
    for (const auto& line : expected) promoted += line.find("\"promoted_") != line.npos;
    EXPECT_GT(promoted, 10);
    for (const auto& record : read_trials(folder / "parts"))
        EXPECT_NE(record.state, TrialState::running) << record.trial.number;
}

TEST(Asha, AFinishedStudyGoesOnWithMoreTrials)
{
    TemporaryFolder folder;
    for (const std::int64_t trials : {10, 25, 25}) {
        auto plan = asha_plan(trials);
        Ledger ledger(folder / "l");
        Study study(plan, ledger);
        run(study, ledger);
        EXPECT_EQ(study.trials().size(), static_cast<std::size_t>(trials));
        EXPECT_NE(study.best(), nullptr);
    }
}

TEST(Hyperband, SharesTrialsOverItsBracketsAsTheirWeights)
{
    const PrunerOptions options{PrunerKind::hyperband, 3};
    int had[3] = {};
    for (std::int64_t n = 0; n < 1600; ++n) ++had[first_cut_of(options, 3, n)];
    // Weights 1, 3/2, 3 of 5.5 for 0, 1 and 2 cuts.
    EXPECT_NEAR(had[2], 1600 * 1 / 5.5, 3);
    EXPECT_NEAR(had[1], 1600 * 1.5 / 5.5, 3);
    EXPECT_NEAR(had[0], 1600 * 3 / 5.5, 3);
    EXPECT_EQ(first_cut_of({PrunerKind::halving, 3}, 3, 7), 0);
}

TEST(Hyperband, CutsNothingBeforeItsBracketBegins)
{
    auto plan = asha_plan(60);
    plan.pruner = {PrunerKind::hyperband, 3};
    TemporaryFolder folder;
    Ledger ledger(folder / "l");
    Study study(plan, ledger);
    run(study, ledger);
    std::set<int> cut_at;
    for (const auto& record : study.trials()) {
        const auto first = first_cut_of(plan.pruner, 3, record.trial.number);
        EXPECT_GT(static_cast<int>(record.rungs.size()), first);
        if (record.state != TrialState::pruned) continue;
        cut_at.insert(static_cast<int>(record.rungs.size()) - 1);
        EXPECT_THAT(record.cause, HasSubstr(" of its bracket, which begin at "));
    }
    EXPECT_THAT(cut_at, ElementsAre(0, 1));
}
