#include "cli/study_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/whole_file.hpp"

namespace barsweep::cli {
namespace {

std::string host_name()
{
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    return name;
}

std::string read_some(int file)
{
    char text[512];
    const auto size = ::pread(file, text, sizeof text, 0);
    std::string line(text, size > 0 ? static_cast<std::size_t>(size) : 0);
    return line.substr(0, line.find('\n'));
}

[[noreturn]] void throw_unwritable(const std::filesystem::path& path, int error)
{
    throw UserError(
        {path.string(), "a folder that can be written", std::strerror(error),
         "free space or choose another --out, then run the same command again"},
        error == ENOSPC || error == EDQUOT || error == EFBIG ? Exit::machine : Exit::bad_input);
}

}  // namespace

StudyFolder::StudyFolder(std::filesystem::path path) : path_{std::move(path)}
{
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) throw_unwritable(path_, error.value());

    const auto lock = path_ / "lock";
    lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock_ < 0) throw_unwritable(path_, errno);

    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
        const auto holder = read_some(lock_);
        ::close(lock_);
        throw UserError({path_.string(), "a study that no other program is running",
                         holder.empty() ? "one that is running" : "one run by " + holder,
                         "wait for it, stop it, or choose another --out"});
    }
    const auto holder = "host " + host_name() + " pid " + std::to_string(::getpid()) + "\n";
    const int error_number = ::ftruncate(lock_, 0) != 0 ? errno : write_all(lock_, holder);
    if (error_number != 0) {
        ::close(lock_);
        throw_unwritable(path_, error_number);
    }
}

StudyFolder::~StudyFolder()
{
    ::close(lock_);
}

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
