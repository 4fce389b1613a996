#include "base/whole_file.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "base/error.hpp"

namespace barsweep {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public testing::Test {
protected:
    WholeFileTest() { fs::create_directories(folder_); }
    ~WholeFileTest() override { fs::remove_all(folder_); }

    static std::string read(const fs::path& path)
    {
        std::ifstream stream{path, std::ios::binary};
        return {std::istreambuf_iterator<char>{stream}, {}};
    }

    fs::path folder_ = fs::temp_directory_path() / ("barsweep_whole_" + std::to_string(::getpid()));
};

TEST_F(WholeFileTest, ReplacesWhatStoodThereAndLeavesNoPart)
{
    write_whole(folder_ / "a.csv", "a longer text");
    write_whole(folder_ / "a.csv", "short");
    EXPECT_EQ(read(folder_ / "a.csv"), "short");
    EXPECT_EQ(std::distance(fs::directory_iterator{folder_}, {}), 1);
}

TEST_F(WholeFileTest, NamesTheFileAndTheReasonWhereItCannotBeWritten)
{
    try {
        write_whole(folder_ / "none" / "a.csv", "text");
        FAIL() << "written";
    } catch (const UserError& error) {
        EXPECT_EQ(error.problem().where, (folder_ / "none" / "a.csv").string());
        EXPECT_EQ(error.problem().found, "No such file or directory");
        EXPECT_EQ(error.exit(), Exit::bad_input);
    }
}

/// The part is written, but a folder stands where the file should go.
TEST_F(WholeFileTest, KeepsWhatStoodThereWhereTheRenameFails)
{
    fs::create_directories(folder_ / "a.csv" / "inside");
    EXPECT_THROW(write_whole(folder_ / "a.csv", "text"), UserError);
    EXPECT_TRUE(fs::exists(folder_ / "a.csv" / "inside"));
    EXPECT_EQ(std::distance(fs::directory_iterator{folder_}, {}), 1);
}

}  // namespace
}  // namespace barsweep
