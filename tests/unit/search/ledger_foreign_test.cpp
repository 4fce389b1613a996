// A study that Optuna began goes on here, one that was begun here goes on in Optuna and here again.
#include <gmock/gmock.h>

#include <cstdlib>

#include "base/error.hpp"
#include "optuna_lines.hpp"
#include "search/read_trials.hpp"
#include "study_fixture.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;
using testing::HasSubstr;

namespace {

StudyPlan plan_of(std::int64_t trials)
{
    return small_plan(trials);
}

class ForeignTrials : public testing::Test {
protected:
    ForeignTrials() { testing::internal::CaptureStderr(); }
    ~ForeignTrials() override { testing::internal::GetCapturedStderr(); }

    std::filesystem::path ledger() const { return folder_ / "l"; }

    /// The sentence of a start's refusal, which changed nothing; empty: it went through.
    std::string start_on(const std::vector<std::string>& lines)
    {
        write(ledger(), joined(lines));
        try {
            start(ledger(), plan_of(9));
        } catch (const UserError& error) {
            EXPECT_EQ(read(ledger()), joined(lines));
            return error.what();
        }
        return {};
    }

    std::vector<std::string> with_study(std::vector<std::string> lines)
    {
        lines.insert(lines.begin(), their_study());
        return lines;
    }

    TemporaryFolder folder_;
};

TEST_F(ForeignTrials, AStudyBegunInOptunaGoesOnHereAndAsOftenAsOneLikes)
{
    const auto theirs = with_study(five_trials(0));
    write(ledger(), joined(theirs));
    const int computed = start(ledger(), plan_of(9));
    EXPECT_GT(computed, 4);
    const auto text = read(ledger());
    EXPECT_TRUE(text.starts_with(joined(theirs)));

    const auto trials = read_trials(ledger());
    ASSERT_EQ(trials.size(), 9u);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(trials[i].foreign, i < 5) << i;
    EXPECT_EQ(trials[0].value, 1e9);
    EXPECT_EQ(trials[0].trial.params, (Params{{"fast", 3}, {"gamma", 0.95}, {"rule", "a"}}));
    EXPECT_EQ(trials[0].rungs[0].score, 0.25);
    EXPECT_EQ(trials[1].state, TrialState::pruned);
    EXPECT_EQ(trials[2].state, TrialState::fail);
    EXPECT_EQ(trials[3].state, TrialState::running);
    EXPECT_EQ(trials[4].state, TrialState::running);

    EXPECT_EQ(start(ledger(), plan_of(9)), 0) << "nothing is computed twice";
    EXPECT_EQ(read(ledger()), text);
}

TEST_F(ForeignTrials, TheBestIsOneThatWasRunHere)
{
    write(ledger(), joined(with_study(five_trials(0))));
    Ledger open{ledger()};
    Study study{plan_of(9), open};
    run_study(study, open, Commit::once);
    ASSERT_NE(study.best(), nullptr);
    EXPECT_FALSE(study.best()->foreign);
    EXPECT_EQ(study.trials()[0].value, 1e9) << "though this is more";
}

TEST_F(ForeignTrials, WhatOptunaAddedBetweenTwoStartsIsMetAtTheSameDecisionForEver)
{
    start(ledger(), plan_of(4));
    const auto whole = lines_of(read(ledger()));
    for (std::size_t kept = 1; kept <= whole.size(); ++kept) {
        std::vector<std::string> lines(whole.begin(),
                                       whole.begin() + static_cast<std::ptrdiff_t>(kept));
        const int begun = static_cast<int>(std::ranges::count_if(
            lines, [](const auto& line) { return line.starts_with("{\"op_code\":4"); }));
        for (const auto& line : five_trials(begun)) lines.push_back(line);
        lines.push_back(their_study());  // as load_if_exists leaves it
        write(ledger(), joined(lines));
        start(ledger(), plan_of(12));
        const auto text = read(ledger());
        ASSERT_TRUE(text.starts_with(joined(lines))) << kept;
        ASSERT_EQ(start(ledger(), plan_of(12)), 0) << kept;
        ASSERT_EQ(read(ledger()), text) << kept;
        ASSERT_EQ(read_trials(ledger()).size(), 12u) << kept;

        const auto all = lines_of(text);  // and cut once more, behind or inside of what they wrote
        for (std::size_t left = kept; left < all.size(); left += 7) {
            write(ledger(), joined({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(left)}));
            start(ledger(), plan_of(12));
            if (left < lines.size()) continue;  // their trials are gone: another study
            ASSERT_EQ(stable(read(ledger())), stable(text)) << left;
        }
    }
}

TEST_F(ForeignTrials, AStudyThatBeganOtherwiseIsRefusedByWhatDiffers)
{
    EXPECT_THAT(start_on({their_study("other")}),
                testing::StartsWith("study.name: expected \"other\""));
    EXPECT_THAT(start_on({their_study("small", "[1]")}),
                testing::StartsWith("study.direction: expected minimize"));
    EXPECT_THAT(start_on({their_study("small", "[1,2]")}), HasSubstr("several directions"));
    EXPECT_THAT(start_on({their_study(), their_study("second")}), HasSubstr("/l:2: "));
    EXPECT_THAT(start_on({their_study(), optuna("1", R"("study_id":0)")}), HasSubstr("/l:2: "));
    std::vector<std::string> many{their_study()};
    many.insert(many.end(), 9, created);
    EXPECT_THAT(start_on(many),
                testing::StartsWith("study.trials: expected more than the 9 trials"));
}

TEST_F(ForeignTrials, AParameterThatIsNoneOfThisSpaceIsRefusedByItsLine)
{
    const auto refused = [&](const std::string& line) {
        return start_on({their_study(), created, line});
    };
    EXPECT_THAT(refused(fast(0, "41.0")), HasSubstr("/l:3: "));
    EXPECT_THAT(refused(fast(0, "41.0")), HasSubstr("fast = 41, which [space] never draws"));
    EXPECT_THAT(refused(gamma(0, "0.95", "true")), HasSubstr("gamma from {"));
    EXPECT_THAT(refused(gamma(0, "NaN")), HasSubstr("gamma = nan, which [space] never draws"));
    EXPECT_THAT(refused(rule(0, "1", R"(\"b\", \"a\")")), HasSubstr("rule from {"));
    EXPECT_THAT(refused(rule(0, "1", R"(1, 2)")), HasSubstr("rule from {"));
    EXPECT_THAT(refused(parameter(0, "lr", "0.1", "Float", R"(\"log\": false)")),
                HasSubstr("lr, which [space] doesn't search"));
    EXPECT_THAT(start_on({their_study(), created, fast(0), rule(0), finished(0, 1, "[1.0]")}),
                HasSubstr("/l:5: expected another program's trial in this job's [space], found one "
                          "without gamma"));
    EXPECT_EQ(start_on({their_study(), created, fast(0), finished(0, 3, "null")}), "");
}

TEST_F(ForeignTrials, ARecordThatIsNotWholeIsRefusedByItsLine)
{
    for (const auto& line :
         {rule(0, "2"), rule(0, "-1"), rule(0, "0.5"), rule(0, "\"a\""), fast(0, "1e300"),
          fast(0, "7.5"), optuna("5", R"("trial_id":0)"), finished(0, 9, "null"),
          finished(0, 1, "[]"), finished(0, 1, "3"), rung(0, 1, "\"x\""),
          optuna("7", R"("trial_id":0,"step":1.5,"intermediate_value":1)"),
          optuna("6", R"("trial_id":0,"values":null)"),
          optuna("5", R"("trial_id":0,"param_name":"fast","param_value_internal":1,)"
                      R"("distribution":"{")"),
          optuna("7", R"("trial_id":1,"step":1,"intermediate_value":1)"),
          optuna("7", R"("trial_id":-1,"step":1,"intermediate_value":1)"),
          optuna("11", R"("trial_id":0)"), std::string("")})
        EXPECT_THAT(start_on({their_study(), created, line, created}), HasSubstr("/l:3: ")) << line;
}

TEST_F(ForeignTrials, NoValueIsNoResult)
{
    for (const char* values : {"null", "[NaN]", "[Infinity]", "[-Infinity]"}) {
        write(ledger(), joined({their_study(), created, fast(0), gamma(0), rule(0),
                                finished(0, 1, values), rung(0, 100, "1")}));
        Ledger open{ledger()};
        Study study{plan_of(3), open};
        ASSERT_EQ(study.trials().size(), 1u);
        EXPECT_EQ(study.trials()[0].state, TrialState::fail) << values;
        EXPECT_TRUE(study.trials()[0].rungs.empty()) << "what comes after the end counts no more";
        run_study(study, open, Commit::once);
    }
}

TEST_F(ForeignTrials, AWholeTrialInOneRecordIsTaken)
{
    const std::string whole = optuna(
        "4",
        R"("study_id":0,"datetime_start":"2026-12-01T03:50:56+00:00",)"
        R"("datetime_complete":"2026-12-01T03:50:57+00:00","state":1,"value":null,"values":[0.5],)"
        R"("params":{"fast":9.0,"gamma":0.91,"rule":1},"distributions":{)"
        R"("fast":"{\"name\": \"IntDistribution\", \"attributes\": {\"log\": false, \"step\": 1, \"low\": 2, \"high\": 40}}",)"
        R"("gamma":"{\"name\": \"FloatDistribution\", \"attributes\": {\"step\": null, \"low\": 0.9, \"high\": 0.999, \"log\": false}}",)"
        R"("rule":"{\"name\": \"CategoricalDistribution\", \"attributes\": {\"choices\": [\"a\", \"b\"]}}"},)"
        R"("user_attrs":{},"system_attrs":{},"intermediate_values":{"100":0.25,"300":NaN})");
    EXPECT_EQ(start_on({their_study(), whole}), "");
    const auto trial = read_trials(ledger()).at(0);
    EXPECT_EQ(trial.trial.params, (Params{{"fast", 9}, {"gamma", 0.91}, {"rule", "b"}}));
    EXPECT_EQ(trial.value, 0.5);
    ASSERT_EQ(trial.rungs.size(), 2u);
    EXPECT_EQ(trial.rungs[0].score, 0.25);
}

TEST_F(ForeignTrials, AJournalThatOptunaItselfWroteGoesOn)
{
    const char* shared = std::getenv("BARSWEEP_SHARED");
    const auto golden = std::filesystem::path(shared ? shared : BARSWEEP_SOURCE_DIR "/../shared") /
                        "optuna/journal_golden.jsonl";
    if (!exists(golden)) GTEST_SKIP() << golden << " isn't on this machine (BARSWEEP_SHARED)";
    write(ledger(), read(golden));

    auto plan = plan_of(30);
    plan.name = "golden";
    plan.space = parse_space({{"lr", "log 0.00001 0.1"},
                              {"hidden", "int 64 512 step 64"},
                              {"gamma", "float 0.9 0.999"},
                              {"algo", "choice dqn ppo"},
                              {"epochs", "intlog 1 16"}},
                             "job.ini");
    const auto compute = [](const Trial& trial, int rung) {
        Report report;
        report.trial = trial.number;
        report.rung = rung;
        report.score = std::get<double>(trial.params.at("gamma"));
        return report;
    };
    const auto run = [&] {
        Ledger open{ledger()};
        Study study{plan, open};
        return run_study(study, open, Commit::every_decision, compute);
    };
    EXPECT_GT(run(), 20);
    const auto text = read(ledger());
    EXPECT_TRUE(text.starts_with(read(golden)));
    EXPECT_EQ(read_trials(ledger()).size(), 30u);
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(read(ledger()), text);
}

}  // namespace
