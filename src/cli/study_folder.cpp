#include "cli/study_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/whole_file.hpp"

namespace barsweep::cli {
namespace {

const std::filesystem::path& made(const std::filesystem::path& path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw_unwritable(path, error.value());
    return path;
}

}  // namespace

StudyFolder::StudyFolder(std::filesystem::path path) : path_{std::move(path)}, lock_{made(path_)} {}

void StudyFolder::write(const std::string& name, const std::string& text) const
{
    write_whole(path_ / name, text);
}

void StudyFolder::remove(const std::string& name) const
{
    const auto file = path_ / name;
    if (::unlink(file.c_str()) != 0 && errno != ENOENT) throw_unwritable(file, errno);
}

}  // namespace barsweep::cli
