// Ledgers damaged at every place and at random: a start and a report take them or stop with one
// sentence that names a line or a key, and never anything else.
#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "base/error.hpp"
#include "optuna_lines.hpp"
#include "search/read_trials.hpp"
#include "study_fixture.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;

namespace {

const bool full = std::getenv("BARSWEEP_FULL") && std::string(std::getenv("BARSWEEP_FULL")) == "1";

/// A study of ours with Optuna's trials between two starts of it, or a study that Optuna began.
class FuzzedLedger : public testing::TestWithParam<const char*> {
protected:
    FuzzedLedger()
    {
        testing::internal::CaptureStderr();  // torn ends are said
        const bool began = std::string(GetParam()) == "optuna";
        if (began) {
            auto lines = five_trials(0);
            lines.insert(lines.begin(), their_study());
            write(path(), joined(lines));
            start(path(), plan_);
        } else {
            start(path(), small_plan(2));
            const auto theirs = five_trials(2);
            write(path(), read(path()) + joined(theirs));
            start(path(), plan_);
        }
        text_ = read(path());
        lines_ = lines_of(text_);
    }
    ~FuzzedLedger() override { testing::internal::GetCapturedStderr(); }

    std::filesystem::path path() const { return folder_ / "l"; }

    void hold_to_contract(const std::string& text, const std::string& what)
    {
        write(path(), text);
        for (const auto& file : folder_.files("l.torn.")) std::filesystem::remove(file);
        reads_or_names(what);
        ASSERT_TRUE(read(path()) == text) << what << ": reading changed it";
        try {
            start(path(), plan_, Commit::once);
        } catch (const UserError& error) {
            const auto left = read(path());
            ASSERT_TRUE(left == text || (text.starts_with(left) && left.ends_with('\n') &&
                                         !folder_.files("l.torn.").empty()))
                << what << ": refused, but changed";
            ASSERT_THAT(error.what(),
                        testing::AnyOf(testing::ContainsRegex("/l:[0-9]+: "),
                                       testing::ContainsRegex("^[a-z]+\\.[a-z0-9]+: ")))
                << what;
            return;
        }
        const auto whole = text.substr(0, text.rfind('\n') + 1);
        const auto first = read(path());
        const bool torn = !folder_.files("l.torn.").empty();
        ASSERT_TRUE(torn || first.starts_with(whole)) << what << ": records were lost";
        ASSERT_EQ(start(path(), plan_, Commit::once), 0) << what << ": computed twice";
        ASSERT_TRUE(read(path()) == first) << what;
        reads_or_names(what);
    }

    /// What `barsweep report` and `replay` do.
    void reads_or_names(const std::string& what)
    {
        try {
            for (const auto& trial : read_trials(path()))
                if (trial.last) read_recorded(path(), trial.trial.number);
        } catch (const UserError& error) {
            ASSERT_THAT(error.what(), testing::HasSubstr("/l:")) << what;
        }
    }

    TemporaryFolder folder_;
    StudyPlan plan_ = small_plan(9);
    std::string text_;
    std::vector<std::string> lines_;
};

TEST_P(FuzzedLedger, EveryByteChangedRemovedOrAdded)
{
    const std::string bytes("\n\0\xff\"\\{}:,0N", 11);
    for (std::size_t i = 0; i < text_.size(); i += full ? 1 : 5) {
        auto text = text_;
        switch (i % 5) {
            case 0:
                text[i] = static_cast<char>(text[i] ^ (1 << (i / 5 % 8)));
                break;
            case 1:
                text.erase(i, 1);
                break;
            case 2:
                text.insert(i, 1, bytes[i / 5 % bytes.size()]);
                break;
            case 3:
                text[i] = bytes[i / 5 % bytes.size()];
                break;
            default:
                text.resize(i);
        }
        hold_to_contract(text, "byte " + std::to_string(i));
        if (!full) i += i / 5 % 5;  // so that all kinds come
    }
}

TEST_P(FuzzedLedger, EveryRecordDroppedDoubledOrSwapped)
{
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        auto lines = lines_;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
        hold_to_contract(joined(lines), "without line " + std::to_string(i + 1));
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), 2, lines_[i]);
        hold_to_contract(joined(lines), "line " + std::to_string(i + 1) + " twice");
        for (std::size_t k = i + 1; k < std::min(lines_.size(), full ? lines_.size() : i + 3);
             ++k) {
            lines = lines_;
            std::swap(lines[i], lines[k]);
            hold_to_contract(joined(lines), "lines " + std::to_string(i + 1) + " and " +
                                                std::to_string(k + 1) + " swapped");
        }
    }
}

TEST_P(FuzzedLedger, RandomDamage)
{
    std::mt19937 random(7);
    const auto below = [&](std::size_t n) { return random() % n; };
    const std::vector<std::string> members = {"null",
                                              "-1",
                                              "1e999",
                                              "NaN",
                                              "-Infinity",
                                              "[]",
                                              "{}",
                                              "\"\"",
                                              "true",
                                              "99999999999999999999",
                                              "18446744073709551615",
                                              "1.5",
                                              "[[1]]",
                                              "{\"a\":{\"b\":[null]}}"};
    for (int round = 0; round < (full ? 20'000 : 150); ++round) {
        auto lines = lines_;
        for (auto edits = 1 + below(3); edits > 0; --edits) {
            auto& line = lines[below(lines.size())];
            if (line.empty()) continue;
            const auto colon = line.find(':', below(line.size()));
            const auto end = colon == line.npos ? line.npos : line.find_first_of(",}", colon);
            switch (below(5)) {
                case 0:  // another value of a member
                    if (end != line.npos)
                        line.replace(colon + 1, end - colon - 1, members[below(members.size())]);
                    break;
                case 1:  // a member gone
                    if (end != line.npos)
                        line.erase(line.rfind('"', line.rfind('"', colon) - 1),
                                   end + 1 - line.rfind('"', line.rfind('"', colon) - 1));
                    break;
                case 2:  // the start of one record, the end of another
                    line = line.substr(0, below(line.size())) +
                           lines_[below(lines_.size())].substr(below(40));
                    break;
                case 3:
                    line[below(line.size())] = static_cast<char>(below(256));
                    break;
                default:
                    line = lines_[below(lines_.size())];
            }
        }
        hold_to_contract(joined(lines), "round " + std::to_string(round));
    }
}

INSTANTIATE_TEST_SUITE_P(Begun, FuzzedLedger, testing::Values("here", "optuna"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
