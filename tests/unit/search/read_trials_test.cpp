#include "search/read_trials.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "base/error.hpp"
#include "search/ledger.hpp"
#include "search/study.hpp"

namespace barsweep::search {
namespace {

class ReadTrialsTest : public testing::Test {
protected:
    ReadTrialsTest()
    {
        std::filesystem::remove(path_);
        plan_.name = "read";
        plan_.trials = 4;
        plan_.rungs = {10, 20};
        plan_.space.parameters = {{"account.stop", FloatRange{0.5, 3}},
                                  {"agent.fast", IntRange{2, 40}},
                                  {"agent.long_flat", Choice{{"false", "true"}}}};
    }
    ~ReadTrialsTest() override { std::filesystem::remove(path_); }

    /// One trial complete, one failed, one whose first score is undefined, one just begun.
    std::vector<TrialRecord> write()
    {
        Ledger ledger{path_};
        Study study{plan_, ledger};
        for (int i = 0; i < 4; ++i) study.ask();
        study.tell({0, 0, 0, 0.25, "", "", {{"trades", 12}}, 0.5, 1, "cpu"});
        study.tell({0, 1, 0, 1.5, "", "", {{"trades", 30}}, 0.25, 1, "cpu"});
        study.tell({1, 0, 0, std::nan(""), "", "it threw \"here\"", {}, 0.1, 0, "cpu"});
        study.tell({2, 0, 0, std::nan(""), "too few trades", "", {}, 0.1, 0, "cpu"});
        ledger.commit();
        return study.trials();
    }

    StudyPlan plan_;
    std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                  ("barsweep_read_trials_" + std::to_string(::getpid()));
};

TEST_F(ReadTrialsTest, ReadsBackTheTrialsThatAStudyKeeps)
{
    const auto kept = write();
    const auto read = read_trials(path_);
    ASSERT_EQ(read.size(), kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
        EXPECT_EQ(read[i].trial.number, kept[i].trial.number);
        EXPECT_EQ(read[i].trial.params, kept[i].trial.params);
        EXPECT_EQ(read[i].state, kept[i].state);
        EXPECT_EQ(read[i].cause, kept[i].cause);
        EXPECT_EQ(read[i].seconds, kept[i].seconds);
        ASSERT_EQ(read[i].rungs.size(), kept[i].rungs.size());
        ASSERT_EQ(read[i].last.has_value(), kept[i].last.has_value());
    }
    EXPECT_EQ(read[0].last->metrics, (std::map<std::string, double>{{"trades", 30}}));
    EXPECT_EQ(read[0].value, 1.5);
    EXPECT_EQ(read[0].rungs[1].step, 20);
    EXPECT_TRUE(std::isnan(read[2].rungs[0].score));
}

TEST_F(ReadTrialsTest, LeavesOutARecordThatIsStillBeingWrittenAndTheFileAsItIs)
{
    write();
    std::ofstream{path_, std::ios::app} << R"({"op_code":4,"worker_id":)";
    const auto size = std::filesystem::file_size(path_);
    EXPECT_EQ(read_trials(path_).size(), 4u);
    EXPECT_EQ(std::filesystem::file_size(path_), size);
}

TEST_F(ReadTrialsTest, NamesTheLineThatIsNoRecord)
{
    std::ofstream{path_} << R"({"op_code":0,"worker_id":"w","study_name":"s","directions":[2]})"
                         << "\nnonsense\n";
    try {
        read_trials(path_);
        FAIL() << "accepted";
    } catch (const UserError& error) {
        EXPECT_EQ(error.problem().where, path_.string() + ":2");
        EXPECT_EQ(error.problem().found, "nonsense");
    }
}

TEST_F(ReadTrialsTest, TellsAllReportsOfOneTrialAndWhatTheStudyRanOn)
{
    plan_.identity = {{"study.seed", "7"}, {"data.bars", 4'000}};
    const auto kept = write();
    const auto recorded = read_recorded(path_, 0);
    EXPECT_EQ(recorded.trial.params, kept[0].trial.params);
    ASSERT_EQ(recorded.rungs.size(), 2u);
    EXPECT_EQ(recorded.rungs[0].score, 0.25);
    EXPECT_EQ(recorded.rungs[1].metrics.at("trades"), 30);
    EXPECT_EQ(recorded.study.at("study.seed"), "7");
    EXPECT_EQ(recorded.study.at("data.bars"), 4'000);
    EXPECT_EQ(read_recorded(path_, 1).rungs[0].failure, "it threw \"here\"");
}

TEST_F(ReadTrialsTest, ATrialThatIsNotThereOrHasNoReportIsSaid)
{
    write();
    const auto found = [&](std::int64_t trial) {
        try {
            read_recorded(path_, trial);
        } catch (const UserError& error) {
            return error.problem().found;
        }
        return std::string{};
    };
    EXPECT_EQ(found(4), "4 of them, from 0");
    EXPECT_EQ(found(-1), "4 of them, from 0");
    EXPECT_EQ(found(3), "none yet");
}

}  // namespace
}  // namespace barsweep::search
