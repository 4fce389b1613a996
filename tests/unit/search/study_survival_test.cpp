// A ledger cut, doubled, dropped or damaged at every place: a start goes on to the very records of
// an uninterrupted study, or stops naming the line.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>

#include "base/error.hpp"
#include "study_fixture.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;
using testing::HasSubstr;

namespace {

/// An uninterrupted study, and what the tests below do to a copy of it.
class SurvivalOfAStudy : public testing::Test {
protected:
    SurvivalOfAStudy()
    {
        start(folder_ / "whole", plan_);
        text_ = read(folder_ / "whole");
        lines_ = lines_of(text_);
        testing::internal::CaptureStderr();  // a torn end is said, some thousand times
    }
    ~SurvivalOfAStudy() override { testing::internal::GetCapturedStderr(); }

    /// The sentence of the refusal; empty: the start went through.
    std::string start_on(const std::string& text)
    {
        write(folder_ / "l", text);
        try {
            start(folder_ / "l", plan_, Commit::once);
        } catch (const UserError& error) {
            EXPECT_EQ(read(folder_ / "l"), text) << "refused, but changed";
            return error.what();
        }
        return {};
    }

    bool is_whole() const { return stable(read(folder_ / "l")) == stable(text_); }

    /// The same records, a final one perhaps behind the study's notes; but for the timeout, which
    /// any start may change.
    bool has_all_records() const
    {
        auto found = stable(read(folder_ / "l")), expected = stable(text_);
        const auto is_timeout = [](const auto& line) {
            return line.find("study.timeout") != line.npos;
        };
        // Whoever created the study: it goes on here.
        const auto drop_author = [](std::string& line) {
            if (line.starts_with("{\"op_code\":0,")) line.erase(0, line.find("\"study_name\""));
        };
        std::ranges::for_each(found, drop_author);
        std::ranges::for_each(expected, drop_author);
        std::erase_if(found, is_timeout);
        std::erase_if(expected, is_timeout);
        std::ranges::sort(found);
        std::ranges::sort(expected);
        return std::ranges::includes(found, expected);
    }

    /// Either goes on to the whole study, or stops with a line of the ledger or the key in it.
    void recovers_or_names(const std::string& text, const std::string& what)
    {
        const std::string sentence = start_on(text);
        if (sentence.empty())
            EXPECT_TRUE(has_all_records()) << what;
        else
            EXPECT_THAT(sentence, testing::AnyOf(testing::ContainsRegex("/l:[0-9]+: "),
                                                 testing::ContainsRegex("^[a-z]+\\.[a-z0-9]+: ")))
                << what;
    }

    TemporaryFolder folder_;
    StudyPlan plan_ = small_plan(4);  // one of each end: complete, cut, failed, without a score
    std::string text_;
    std::vector<std::string> lines_;
};

}  // namespace

TEST_F(SurvivalOfAStudy, CutAtEveryByteItGoesOnToTheSameRecords)
{
    for (std::size_t size = 0; size < text_.size(); ++size) {
        ASSERT_EQ(start_on(text_.substr(0, size)), "") << "cut at byte " << size;
        ASSERT_TRUE(is_whole()) << "cut at byte " << size;
        const auto aside = folder_.files("l.torn.");
        ASSERT_EQ(aside.size(), size > 0 && text_[size - 1] != '\n') << "cut at byte " << size;
        for (const auto& file : aside) std::filesystem::remove(file);
    }
}

TEST_F(SurvivalOfAStudy, NoFinishedTrialAndNoRecordedRungIsRunAgain)
{
    std::size_t reports = 0, size = 0;
    const int all = start(folder_ / "l", plan_);
    for (const auto& line : lines_) {
        size += line.size() + 1;
        reports += journal::find_rung(line).has_value();
        write(folder_ / "l", text_.substr(0, size));
        EXPECT_EQ(start(folder_ / "l", plan_), all - static_cast<int>(reports));
    }
}

TEST_F(SurvivalOfAStudy, EveryDroppedRecordIsMadeAgainOrNamed)
{
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        auto lines = lines_;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
        recovers_or_names(joined(lines), "without " + lines_[i]);
    }
}

TEST_F(SurvivalOfAStudy, EveryDoubledRecordCountsOnceOrIsNamed)
{
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        auto lines = lines_;
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), lines_[i]);
        write(folder_ / "l", joined(lines));
        try {
            start(folder_ / "l", plan_);
            EXPECT_EQ(read(folder_ / "l"), joined(lines)) << lines_[i];
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), HasSubstr("/l:" + std::to_string(i + 2) + ": "));
            EXPECT_THAT(lines_[i], testing::Not(HasSubstr("\"op_code\":6"))) << "counts once";
        }
    }
}

TEST_F(SurvivalOfAStudy, EveryFlippedByteIsHarmlessOrNamed)
{
    for (std::size_t i = 0; i < text_.size(); ++i) {
        std::string text = text_;
        text[i] = static_cast<char>(text[i] ^ 0x11);
        recovers_or_names(text, "byte " + std::to_string(i));
    }
}

TEST_F(SurvivalOfAStudy, AFullDiskAnywhereIsOneSentenceAndTheNextStartGoesOn)
{
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    for (std::size_t size = 1; size < text_.size(); size += 97) {
        std::filesystem::remove(folder_ / "l");
        const rlimit limit{size, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
        EXPECT_THROW(start(folder_ / "l", plan_), UserError);
        setrlimit(RLIMIT_FSIZE, &before);
        const std::string left = read(folder_ / "l");
        EXPECT_TRUE(left.empty() || left.ends_with('\n'));
        EXPECT_LE(left.size(), size);
        start(folder_ / "l", plan_);
        EXPECT_TRUE(is_whole()) << "full at byte " << size;
    }
}
