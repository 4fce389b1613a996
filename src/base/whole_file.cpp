#include "base/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace barsweep {
namespace {

bool write_all(int file, const std::string& text)
{
    for (std::size_t done = 0; done < text.size();) {
        const auto size = ::write(file, text.data() + done, text.size() - done);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return false;
        done += static_cast<std::size_t>(size);
    }
    return ::fsync(file) == 0;
}

/// A rename is kept over a power cut once its folder is on the disk; file systems that can't sync a
/// folder say so, and need it not.
void sync_folder(const std::filesystem::path& file)
{
    const auto parent = file.parent_path();
    const int folder =
        ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    ::fsync(folder);
    ::close(folder);
}

[[noreturn]] void refuse(const std::filesystem::path& path, int error)
{
    const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    throw UserError({path.string(), "a file that can be written", std::strerror(error),
                     full ? "free space or choose another place" : "choose another place"},
                    full ? Exit::machine : Exit::bad_input);
}

}  // namespace

void write_whole(const std::filesystem::path& path, const std::string& text)
{
    auto part = path;
    part += ".part";
    const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) refuse(path, errno);

    int error = write_all(file, text) ? 0 : errno;
    if (::close(file) != 0 && error == 0) error = errno;
    if (error == 0 && ::rename(part.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(part.c_str());
        refuse(path, error);
    }
    sync_folder(path);
}

}  // namespace barsweep
