#include "cli/job_texts.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error.hpp"
#include "cli/job_options.hpp"

namespace barsweep::cli {
namespace {

class JobTextsTest : public testing::Test {
protected:
    JobTextsTest() { std::filesystem::create_directories(folder_); }
    ~JobTextsTest() override { std::filesystem::remove_all(folder_); }

    JobTexts read(const std::string& content, const Overrides& overrides = {})
    {
        std::ofstream{file_} << content;
        return read_job(file_, overrides);
    }

    /// The sentence a job is refused with, its path cut to "job.ini".
    std::string sentence(const std::string& content, const Overrides& overrides = {})
    {
        try {
            read(content, overrides);
        } catch (const UserError& error) {
            const std::string text = error.what();
            return text.starts_with(folder_.string()) ? text.substr(folder_.string().size() + 1)
                                                      : text;
        }
        return "accepted";
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("barsweep_job_" + std::to_string(::getpid()));
    std::filesystem::path file_ = folder_ / "job.ini";
};

TEST_F(JobTextsTest, LaysTheFileOverDefaultsAndTheCommandLineOverTheFile)
{
    const auto job = read("[study]\ntrials = 7\nseed = 5\n", {{"study.seed", "6"}});
    EXPECT_EQ(job["study.slots"], "8");
    EXPECT_EQ(job.values.at("study.slots").source, Source::fallback);
    EXPECT_EQ(job["study.trials"], "7");
    EXPECT_EQ(job.values.at("study.trials").line, 2);
    EXPECT_EQ(job["study.seed"], "6");
    EXPECT_EQ(job.where("study.seed"), "command line");
    EXPECT_EQ(job.where("study.trials"), file_.string() + ":2");
}

TEST_F(JobTextsTest, LaysATrialsParametersOverAll)
{
    const auto job =
        read("[agent]\nfast = 3\n[space]\nagent.fast = int 2 9\naccount.stop = float 1 2\n");
    const auto trial = overlay(job, {{"agent.fast", std::int64_t{8}}, {"account.stop", 1.5}});
    EXPECT_EQ(trial["agent.fast"], "8");
    EXPECT_EQ(trial["account.stop"], "1.5");
    EXPECT_EQ(trial.where("agent.fast"), "trial");
    EXPECT_EQ(job["agent.fast"], "3");
}

TEST_F(JobTextsTest, TakesCommentsBlanksAndWindowsLineEnds)
{
    const auto job = read("# a job\r\n\r\n[study]   \r\n  name =  two words  # of it\r\n");
    EXPECT_EQ(job["study.name"], "two words");
    EXPECT_EQ(job.values.at("study.name").line, 4);
}

TEST_F(JobTextsTest, NamesAStudyAfterItsFileAndItsFolderAfterTheStudy)
{
    EXPECT_EQ(read("")["study.name"], "job");
    EXPECT_EQ(read("[study]\nname = x\n")["output.dir"], "results/x");
}

TEST_F(JobTextsTest, WritesAJobThatReadsBackTheSame)
{
    const auto job = read("[study]\ntrials = 7\n[space]\nagent.fast = int 2 9\n",
                          {{"account.spread_bps", "1.5"}});
    const auto again = read(job_file(job));
    ASSERT_EQ(again.values.size(), job.values.size());
    for (const auto& [key, value] : job.values) {
        const bool path = key == "output.dir";
        EXPECT_EQ(again[key], path ? std::filesystem::absolute(value.text).string() : value.text)
            << key;
    }
}

TEST_F(JobTextsTest, RefusesAMisspeltKeyNamingTheNearestAndItsLine)
{
    EXPECT_EQ(
        sentence("[study]\nseed = 1\ntrails = 5\n"),
        "job.ini:3: expected a known key, found 'study.trails'. To fix: write study.trials, the "
        "nearest there is.");
}

TEST_F(JobTextsTest, RefusesAKeyOfTheWrongSectionNamingTheRightOne)
{
    EXPECT_EQ(
        sentence("[study]\nhold = 5\n"),
        "job.ini:2: expected a known key, found 'study.hold'. To fix: write account.hold, the "
        "nearest there is.");
    EXPECT_EQ(
        sentence("trials = 5\n"),
        "job.ini:1: expected a known key, found 'trials'. To fix: write study.trials, the nearest "
        "there is.");
}

TEST_F(JobTextsTest, RefusesAKeyGivenTwiceNamingBothLines)
{
    EXPECT_EQ(
        sentence("[study]\nseed = 1\n[agent]\nfast = 2\n[study]\nseed = 1\n"),
        "job.ini:6: expected study.seed once, found it again after line 2. To fix: keep one of "
        "the two lines.");
}

TEST_F(JobTextsTest, RefusesASpaceKeyThatNoTrialHas)
{
    EXPECT_EQ(
        sentence("[space]\nagent.fats = int 1 2\n"),
        "job.ini:2: expected a [space] key of [agent] or [account], found 'space.agent.fats'. To "
        "fix: write space.agent.fast, the nearest there is.");
    EXPECT_EQ(
        sentence("[space]\nstudy.slots = int 1 2\n"),
        "job.ini:2: expected a [space] key of [agent] or [account], found 'space.study.slots'. To "
        "fix: write space.agent.slow, the nearest there is.");
}

TEST_F(JobTextsTest, RefusesALineThatIsNeitherKeyNorSection)
{
    EXPECT_EQ(
        sentence("[study]\nseed 4\n"),
        "job.ini:2: expected KEY = VALUE or [SECTION], found 'seed 4'. To fix: complete the line, "
        "or begin it with # as a comment.");
    EXPECT_EQ(
        sentence("[study\n"),
        "job.ini:1: expected KEY = VALUE or [SECTION], found '[study'. To fix: complete the line, "
        "or begin it with # as a comment.");
}

TEST_F(JobTextsTest, RefusesAFileThatIsNotThere)
{
    try {
        read_job(folder_ / "none.ini", {});
        FAIL() << "accepted";
    } catch (const UserError& error) {
        EXPECT_EQ(error.problem().found, "no such file");
        EXPECT_EQ(error.exit(), Exit::bad_input);
    }
}

}  // namespace
}  // namespace barsweep::cli
