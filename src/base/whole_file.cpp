#include "base/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace barsweep {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, int error)
{
    const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    throw UserError({path.string(), "a file that can be written", std::strerror(error),
                     full ? "free space or choose another place" : "choose another place"},
                    full ? Exit::machine : Exit::bad_input);
}

}  // namespace

void write_whole(const std::filesystem::path& path, std::string_view text)
{
    auto part = path;
    part += ".part";
    const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) refuse(path, errno);

    int error = write_all(file, text);
    if (error == 0 && ::fsync(file) != 0) error = errno;
    if (::close(file) != 0 && error == 0) error = errno;
    if (error == 0 && ::rename(part.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(part.c_str());
        refuse(path, error);
    }
    if (const int unsynced = sync_folder_of(path); unsynced != 0) refuse(path, unsynced);
}

int write_all(int file, std::string_view text)
{
    while (!text.empty()) {
        const auto wrote = ::write(file, text.data(), text.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return 0;
}

int sync_folder_of(const std::filesystem::path& file)
{
    const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path{"."};
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return errno;
    const int error = ::fsync(opened) == 0 ? 0 : errno;
    ::close(opened);
    return error == EINVAL || error == ENOTSUP ? 0 : error;
}

}  // namespace barsweep
