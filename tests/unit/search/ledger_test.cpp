#include "search/ledger.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>

#include "base/error.hpp"
#include "study_fixture.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;
using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

namespace {

const std::string study_line = journal::create_study("s", 2);
const std::string trial_line =
    R"({"op_code":4,"worker_id":"barsweep","study_id":0,"datetime_start":"2026-01-01T00:00:00.000000+00:00"})";
const std::string final_line =
    R"({"op_code":6,"worker_id":"barsweep","trial_id":0,"state":1,"values":[0.5],"datetime_complete":"2026-01-01T00:00:01.000000+00:00"})";

std::string refusal(const std::filesystem::path& path)
{
    try {
        Ledger ledger(path);
    } catch (const UserError& error) {
        return error.what();
    }
    return "opened";
}

/// Files grow to `bytes` at most while it lives.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
};

}  // namespace

TEST(Ledger, WritesABatchOnCommitAndNothingBefore)
{
    TemporaryFolder folder;
    Ledger ledger(folder / "l");
    ledger.append(study_line);
    ledger.append(trial_line);
    EXPECT_EQ(read(folder / "l"), "");
    ledger.commit();
    EXPECT_EQ(read(folder / "l"), joined({study_line, trial_line}));
}

TEST(Ledger, IsReadableByOthersButWritableByItsOwnerAlone)
{
    TemporaryFolder folder;
    const mode_t before = umask(022);
    Ledger ledger(folder / "l");
    umask(before);
    struct stat status {};
    ASSERT_EQ(stat((folder / "l").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0644u);
}

TEST(Ledger, WalksOverWhatIsThereThenAppends)
{
    TemporaryFolder folder;
    write(folder / "l", joined({study_line, trial_line}));
    Ledger ledger(folder / "l");
    EXPECT_THAT(ledger.recorded(), SizeIs(2));
    ledger.append(study_line);
    ledger.append(journal::create_trial());  // another date, the same decision
    EXPECT_EQ(ledger.next_recorded(), nullptr);
    ledger.append(final_line);
    ledger.commit();
    EXPECT_EQ(read(folder / "l"), joined({study_line, trial_line, final_line}));
}

TEST(Ledger, ARecordThatDiffersIsRefusedByItsLine)
{
    TemporaryFolder folder;
    write(folder / "l", joined({study_line, trial_line}));
    Ledger ledger(folder / "l");
    ledger.append(study_line);
    try {
        ledger.append(final_line);
        FAIL() << "accepted";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(),
                    AllOf(StartsWith((folder / "l:2: ").string()), HasSubstr("\"op_code\":6"),
                          HasSubstr("found {\"op_code\":4"), HasSubstr("another --out")));
    }
    EXPECT_EQ(read(folder / "l"), joined({study_line, trial_line}));
}

TEST(Ledger, ATornLastLineIsKeptAsideCutOffAndSaid)
{
    for (const std::string torn : {"{\"op_code\":6,\"wor", "{\"op_code\":4}", "garbage\n", "\n"}) {
        TemporaryFolder folder;
        write(folder / "l", joined({study_line, trial_line}) + torn);

        testing::internal::CaptureStderr();
        Ledger ledger(folder / "l");
        EXPECT_THAT(
            testing::internal::GetCapturedStderr(),
            HasSubstr("an incomplete last record (" + std::to_string(torn.size()) + " bytes)"));

        EXPECT_EQ(read(folder / "l"), joined({study_line, trial_line}));
        const auto aside = folder.files("l.torn.");
        ASSERT_THAT(aside, SizeIs(1));
        EXPECT_EQ(read(aside[0]), torn);
        ledger.append(study_line);
        ledger.append(trial_line);
        ledger.append(final_line);
        ledger.commit();
        EXPECT_EQ(read(folder / "l"), joined({study_line, trial_line, final_line}));
    }
}

TEST(Ledger, ABadMiddleLineIsNamedWithTheWayOutAndNothingIsChanged)
{
    for (const std::string& bad : {std::string("{\"op_code\":4,\"wor"), std::string(20, '\0'),
                                   std::string(), std::string("[]"), std::string("{\"op_code\":4}"),
                                   std::string("{\"op_code\":11,\"worker_id\":\"x\"}")}) {
        TemporaryFolder folder;
        const std::string text = joined({study_line, trial_line, bad, final_line}) + "{\"torn";
        write(folder / "l", text);
        EXPECT_THAT(refusal(folder / "l"),
                    AllOf(StartsWith((folder / "l:3: ").string()),
                          HasSubstr("one whole journal record a line"), HasSubstr("head -n 2 ")));
        EXPECT_EQ(read(folder / "l"), text);
        EXPECT_THAT(folder.files(""), SizeIs(1));
    }
}

TEST(Ledger, AnExactRepeatOfAFinalRecordCountsOnce)
{
    TemporaryFolder folder;
    write(folder / "l", joined({study_line, trial_line, final_line, trial_line, final_line}));
    Ledger ledger(folder / "l");
    for (const auto& record : {study_line, trial_line, final_line, trial_line})
        ledger.append(record);
    EXPECT_EQ(ledger.next_recorded(), nullptr);
}

TEST(Ledger, PassesOverAttributesThatADashboardAdded)
{
    TemporaryFolder folder;
    const std::string note =
        R"({"op_code": 3, "worker_id": "d", "study_id": 0, "system_attr": {"note": "good"}})";
    write(folder / "l", joined({study_line, note, trial_line}));
    Ledger ledger(folder / "l");
    ledger.append(study_line);
    ledger.append(trial_line);
    EXPECT_EQ(ledger.next_recorded(), nullptr);
}

TEST(Ledger, AFailedWriteLeavesWholeRecordsAndTheBatchForAnotherTry)
{
    TemporaryFolder folder;
    Ledger ledger(folder / "l");
    ledger.append(study_line);
    ledger.commit();
    ledger.append(trial_line);
    ledger.append(final_line);
    {
        FileSizeLimit limit(study_line.size() + 1 + trial_line.size() + 9);
        try {
            ledger.commit();
            FAIL() << "written";
        } catch (const UserError& error) {
            EXPECT_EQ(error.exit(), Exit::machine);
            EXPECT_THAT(error.what(), AllOf(HasSubstr("room for "), HasSubstr("File too large"),
                                            HasSubstr("the ledger keeps every whole record")));
        }
        EXPECT_EQ(read(folder / "l"), joined({study_line}));
    }
    ledger.commit();
    EXPECT_EQ(read(folder / "l"), joined({study_line, trial_line, final_line}));
}

TEST(Ledger, WhatOthersAddMeanwhileIsLeftWhereItIsAndTrialsOfTheirsStopTheCommit)
{
    TemporaryFolder folder;
    const std::string note =
        R"({"op_code":3,"worker_id":"d","study_id":0,"system_attr":{"note":"good"}})";
    const std::string again =
        R"({"op_code":0,"worker_id":"d","study_name":"s","directions":[2]})";  // load_if_exists
    const std::string theirs =
        R"({"op_code":4,"worker_id":"d","study_id":0,"datetime_start":"2026-01-01T00:00:00+00:00"})";
    Ledger ledger(folder / "l");
    ledger.append(study_line);
    ledger.commit();
    std::ofstream(folder / "l", std::ios::app) << joined({note, again});
    ledger.append(trial_line);
    ledger.commit();
    EXPECT_EQ(read(folder / "l"), joined({study_line, note, again, trial_line}));

    for (const auto& added : {joined({note, theirs}), joined({theirs}), note, std::string("\n"),
                              joined({final_line}), std::string("x\n")}) {
        const auto before = read(folder / "l") + added;
        std::ofstream(folder / "l", std::ios::app) << added;
        ledger.append(final_line);
        EXPECT_THROW(ledger.commit(), UserError) << added;
        EXPECT_EQ(read(folder / "l"), before);
        write(folder / "l", joined({study_line, note, again, trial_line}));
    }
    write(folder / "l", joined({study_line}));
    EXPECT_THROW(ledger.commit(), UserError);
    EXPECT_EQ(read(folder / "l"), joined({study_line}));
}

TEST(Ledger, AFolderThatCannotBeWrittenIsOneSentence)
{
    TemporaryFolder folder;
    ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
    const bool root = geteuid() == 0;  // whom no permission stops: be nobody for a moment
    ASSERT_EQ(root ? seteuid(65534) : 0, 0);
    const std::string sentence = refusal(folder / "l");
    ASSERT_EQ(root ? seteuid(0) : 0, 0);
    EXPECT_THAT(sentence,
                AllOf(HasSubstr("Permission denied"), HasSubstr("make the folder writable")));
    ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
    EXPECT_THAT(folder.files(""), SizeIs(0));
}

TEST(Ledger, ReadsAJournalThatOptunaWrote)
{
    const char* shared = std::getenv("BARSWEEP_SHARED");
    const auto golden = std::filesystem::path(shared ? shared : BARSWEEP_SOURCE_DIR "/../shared") /
                        "optuna/journal_golden.jsonl";
    if (!exists(golden)) GTEST_SKIP() << golden << " isn't on this machine (BARSWEEP_SHARED)";

    TemporaryFolder folder;
    std::filesystem::copy_file(golden, folder / "l");
    std::filesystem::permissions(folder / "l", std::filesystem::perms::owner_all);
    write(
        folder / "l",
        read(golden) +
            R"({"op_code":7,"worker_id":"x","trial_id":0,"step":9,"intermediate_value":NaN})"
            "\n"
            R"({"op_code":7,"worker_id":"x","trial_id":0,"step":10,"intermediate_value":-Infinity})"
            "\n");
    Ledger ledger(folder / "l");
    std::size_t attributes = 0, trials = 0;
    for (const auto& line : lines_of(read(golden))) {
        attributes += line.starts_with("{\"op_code\":2") || line.starts_with("{\"op_code\":8") ||
                      line.starts_with("{\"op_code\":9");
        trials += line.starts_with("{\"op_code\":4");
    }
    EXPECT_GT(attributes, 10u);
    EXPECT_THAT(ledger.recorded(), SizeIs(1));
    EXPECT_EQ(ledger.recorded().front().op, journal::Op::create_study);
    EXPECT_EQ(ledger.foreign_trials(), static_cast<std::int64_t>(trials));
    EXPECT_THAT(ledger.take_foreign(), SizeIs(0)) << "they stand behind the study's creation";
    ledger.pass();
    const auto foreign = ledger.take_foreign();
    EXPECT_THAT(foreign, SizeIs(lines_of(read(golden)).size() + 2 - attributes - 1));
    EXPECT_EQ(foreign.back().op, journal::Op::intermediate);
    EXPECT_THAT(ledger.take_foreign(), SizeIs(0)) << "once";
}
