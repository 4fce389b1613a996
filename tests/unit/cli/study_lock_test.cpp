// One program at a time runs a study, whatever became of the one before.
#include "cli/study_lock.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <new>

namespace barsweep::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr LockPace quick{20ms, 200ms};

class StudyLockTest : public testing::Test {
protected:
    StudyLockTest()
    {
        std::string name = (fs::temp_directory_path() / "barsweep-lock-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        testing::internal::CaptureStderr();
    }
    ~StudyLockTest() override
    {
        testing::internal::GetCapturedStderr();
        fs::remove_all(folder_);
    }

    fs::path lock() const { return folder_ / "lock"; }
    std::string record() const
    {
        std::ifstream file{lock(), std::ios::binary};
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const std::string& text) const { std::ofstream{lock(), std::ios::binary} << text; }

    /// What a lock of this process says, after `edit` by the words "host", "pid", "start",
    /// "machine".
    std::string record_with(const std::string& word, const std::string& value)
    {
        const StudyLock ours{folder_, quick};
        auto text = record();
        const auto at = text.find(word + " ") + word.size() + 1;
        return text.replace(at, text.find_first_of(" \n", at) - at, value);
    }

    /// The sentence of a refusal; empty: it was taken (and let go).
    std::string start()
    {
        try {
            const StudyLock taken{folder_, quick};
            EXPECT_THAT(record(), HasSubstr(" pid " + std::to_string(::getpid()) + " "));
        } catch (const UserError& error) {
            return error.what();
        }
        return {};
    }

    /// Whether the holder hears at one of its next beats that it has lost the lock.
    static bool is_told(const StudyLock& lock)
    {
        for (int i = 0; i < 1000; ++i) try {
                lock.check();
                std::this_thread::sleep_for(10ms);
            } catch (const UserError&) {
                return true;
            }
        return false;
    }

    /// A process that takes the lock and is gone without letting go.
    void leave_stale() const
    {
        const auto child = ::fork();
        if (child == 0) {
            new StudyLock{folder_, quick};
            ::_exit(0);
        }
        ::waitpid(child, nullptr, 0);
    }

    fs::path folder_;
};

TEST_F(StudyLockTest, ASecondStartIsRefusedWithHostAndPidAndMayComeAfterwards)
{
    {
        const StudyLock first{folder_, quick};
        EXPECT_THAT(start(), testing::AllOf(HasSubstr("one run by host "),
                                            HasSubstr(" pid " + std::to_string(::getpid()))));
    }
    EXPECT_FALSE(fs::exists(lock()));
    EXPECT_EQ(start(), "");
}

TEST_F(StudyLockTest, AProcessThatIsGoneHoldsNothing)
{
    leave_stale();
    ASSERT_TRUE(fs::exists(lock()));
    EXPECT_EQ(start(), "");
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(StudyLockTest, APidThatAnotherProcessHasNowHoldsNothing)
{
    write(record_with("start", "1"));
    EXPECT_EQ(start(), "");
}

TEST_F(StudyLockTest, AnotherMachinesLockIsTakenOnceItsHeartStandsStill)
{
    write(record_with("machine", "another/pid:[1]"));
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(start(), "");
    EXPECT_GT(std::chrono::steady_clock::now() - begun, 150ms) << "it might have lived";

    write(record_with("machine", "another/pid:[1]"));
    fs::last_write_time(lock(), fs::last_write_time(lock()) - 1h);
    const LockPace patient{500ms, 10min};
    const StudyLock at_once{folder_, patient};
}

TEST_F(StudyLockTest, AnotherMachinesLockIsLeftWhileItsHeartBeats)
{
    write(record_with("machine", "another/pid:[1]"));
    std::jthread holder{[&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(10ms);
            fs::last_write_time(lock(), fs::file_time_type::clock::now());
        }
    }};
    try {
        const LockPace patient{20ms, 10s};
        const StudyLock taken{folder_, patient};
        ADD_FAILURE() << "taken from a living holder";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("one run by host "));
    }
    holder.request_stop();
    holder.join();
    EXPECT_EQ(start(), "");
}

TEST_F(StudyLockTest, ALockWithoutARecordIsAnothersUntilTimeHasPassed)
{
    for (const char* text : {"", "host", "host a pid 1\n", "nonsense \xff\n"}) {
        write(text);
        EXPECT_EQ(start(), "") << text;
    }
}

TEST_F(StudyLockTest, AHolderWhoseLockWasTakenIsToldAndLeavesItAlone)
{
    const std::string other = record_with("machine", "another/pid:[1]");
    {
        const StudyLock ours{folder_, quick};
        ours.check();
        write(other);
        EXPECT_TRUE(is_told(ours));
    }
    EXPECT_EQ(record(), other);
}

TEST_F(StudyLockTest, AHolderWhoseLockWasRemovedIsTold)
{
    const StudyLock ours{folder_, quick};
    fs::remove(lock());
    EXPECT_TRUE(is_told(ours));
}

TEST_F(StudyLockTest, ATakeOverThatWasKilledHalfwayIsTakenOver)
{
    leave_stale();
    fs::copy_file(lock(), folder_ / "lock.claim");
    EXPECT_EQ(start(), "");
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(StudyLockTest, OfManyStartsOnAStaleLockOneWins)
{
    for (int round = 0; round < 20; ++round) {
        leave_stale();
        int gate[2], done[2];
        ASSERT_EQ(::pipe(gate), 0);
        ASSERT_EQ(::pipe(done), 0);
        std::vector<pid_t> children;
        for (int i = 0; i < 6; ++i) {
            children.push_back(::fork());
            if (children.back() != 0) continue;
            ::close(gate[1]);
            ::close(done[1]);
            char byte;
            (void)!::read(gate[0], &byte, 1);  // until all have begun
            try {
                const StudyLock lock{folder_};
                (void)!::read(done[0], &byte, 1);  // until all have tried
                ::_exit(0);
            } catch (const UserError&) {
                ::_exit(1);
            }
        }
        ::close(gate[1]);
        int winners = 0;
        for (std::size_t refused = 0; refused + 1 < children.size();) {
            int status = 0;
            ASSERT_GT(::wait(&status), 0);
            ASSERT_TRUE(WIFEXITED(status));
            if (WEXITSTATUS(status) == 1)
                ++refused;
            else
                FAIL() << "a winner ended before it was told to";
        }
        ::close(done[1]);
        int status = 0;
        ASSERT_GT(::wait(&status), 0);
        winners += WIFEXITED(status) && WEXITSTATUS(status) == 0;
        EXPECT_EQ(winners, 1);
        ::close(gate[0]);
        ::close(done[0]);
    }
}

TEST_F(StudyLockTest, AFolderThatCannotBeWrittenIsOneSentence)
{
    EXPECT_THROW(StudyLock("/proc/self"), UserError);
}

}  // namespace
}  // namespace barsweep::cli
