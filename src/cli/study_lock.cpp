#include "cli/study_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>

#include "base/log.hpp"
#include "base/whole_file.hpp"

namespace barsweep::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

struct Holder {
    std::string host = "an unknown one";
    long pid = 0;
    std::string start;    ///< of the process, in the kernel's ticks since boot
    std::string machine;  ///< boot and pid namespace: where `pid` means something
};

/// A file's text; none: there is no such file. (Each time opened anew, so that NFS asks its
/// server.)
std::optional<std::string> text_of(const fs::path& path)
{
    std::ifstream file{path, std::ios::binary};
    if (!file) return {};
    return std::string{std::istreambuf_iterator<char>(file), {}};
}

std::string machine()
{
    std::string boot = text_of("/proc/sys/kernel/random/boot_id").value_or("unknown\n");
    boot.resize(boot.find('\n'));
    char space[64] = {};
    const auto size = ::readlink("/proc/self/ns/pid", space, sizeof space - 1);
    return boot + "/" + (size > 0 ? space : "unknown");
}

/// When a process began, /proc/PID/stat's field 22; empty: there is none, or only its exit status
/// is left.
std::string start_of(long pid)
{
    const auto stat = text_of("/proc/" + std::to_string(pid) + "/stat").value_or("");
    const auto name_end = stat.rfind(')');
    if (name_end == stat.npos) return {};
    std::istringstream fields{stat.substr(name_end + 1)};
    std::string state, field;
    fields >> state;
    for (int i = 3; i < 22; ++i) fields >> field;
    return state == "Z" || state == "X" ? "" : field;
}

std::string our_record()
{
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    const auto pid = static_cast<long>(::getpid());
    return std::string("host ") + host + " pid " + std::to_string(pid) + " start " + start_of(pid) +
           " machine " + machine() + "\n";
}

/// What an unfinished or foreign text doesn't say stays as it is in `Holder`.
Holder holder_of(const std::string& record)
{
    Holder holder;
    std::istringstream words{record};
    std::string host, name;
    if (words >> name >> host && name == "host") holder.host = host;
    words >> name >> holder.pid >> name >> holder.start >> name >> holder.machine;
    return holder;
}

std::string told(const Holder& holder)
{
    return "host " + holder.host + " pid " + std::to_string(holder.pid);
}

/// False: the file exists.
bool create(const fs::path& path, const std::string& record)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 && errno == EEXIST) return false;
    if (file < 0) throw_unwritable(path.parent_path(), errno);
    const int error = write_all(file, record);
    ::close(file);
    if (error == 0) return true;
    ::unlink(path.c_str());
    throw_unwritable(path.parent_path(), error);
}

/// Modification time; zero: there is no such file.
nanoseconds modified(const fs::path& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    const bool known = file >= 0 && ::fstat(file, &status) == 0;
    if (file >= 0) ::close(file);
    return known ? std::chrono::seconds{status.st_mtim.tv_sec} + nanoseconds{status.st_mtim.tv_nsec}
                 : nanoseconds{0};
}

/// Now, by the clock of the file system's server where it has one.
nanoseconds touch(const fs::path& path)
{
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
    return modified(path);
}

/// Whether nobody holds `path` any more; waits where only time can tell. `claim` is a file of ours
/// beside it that is kept young meanwhile; empty: there is none.
bool is_free(const fs::path& path, const fs::path& claim, LockPace pace)
{
    const auto begun = Clock::now();
    const auto first = modified(path);
    for (bool said = false;; said = true) {
        const auto record = text_of(path);
        if (!record) return true;
        const auto holder = holder_of(*record);
        if (holder.machine == machine())
            return holder.start.empty() || start_of(holder.pid) != holder.start;
        const auto last = modified(path);
        if (last != first) return last == nanoseconds{0};
        const bool old = !claim.empty() && touch(claim) - last > pace.patience;
        if (old || Clock::now() - begun > pace.patience) return true;
        if (!said && pace.patience >= std::chrono::seconds{1})
            log_line(path.parent_path().string() + ": waiting up to " +
                     std::to_string(pace.patience / std::chrono::seconds{1}) +
                     " s for a sign of life of " + told(holder) + ", which ran it last");
        std::this_thread::sleep_for(pace.beat / 10);
    }
}

[[noreturn]] void refuse(const fs::path& file)
{
    const auto record = text_of(file);
    throw UserError(
        {file.parent_path().string(), "a study that no other program is running",
         record ? "one run by " + told(holder_of(*record)) : std::string("one that was running"),
         "wait for it, stop it, or choose another --out"});
}

}  // namespace

[[noreturn]] void throw_unwritable(const fs::path& path, int error)
{
    throw UserError(
        {path.string(), "a folder that can be written", std::strerror(error),
         "free space or choose another --out, then run the same command again"},
        error == ENOSPC || error == EDQUOT || error == EFBIG ? Exit::machine : Exit::bad_input);
}

StudyLock::StudyLock(const fs::path& folder, LockPace pace)
    : file_{folder / "lock"}, pace_{pace}, record_{our_record()}
{
    if (!create(file_, record_)) take_over();

    sigset_t all, before;  // signals are the main thread's: they end its waiting
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    renewal_ = std::jthread([this](const std::stop_token& stop) {
        std::unique_lock lock{mutex_};
        while (!lost_ &&
               !end_.wait_for(lock, stop, pace_.beat, [&] { return stop.stop_requested(); }))
            renew();
    });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

StudyLock::~StudyLock()
{
    renewal_.request_stop();
    renewal_.join();
    if (text_of(file_) == record_) ::unlink(file_.c_str());
}

void StudyLock::take_over()
{
    auto claim = file_;
    claim += ".claim";
    if (!create(claim, record_)) {
        if (!is_free(claim, {}, pace_)) refuse(claim);
        ::unlink(claim.c_str());
        if (!create(claim, record_)) refuse(claim);
    }
    const auto holder = holder_of(text_of(file_).value_or(""));
    if (!is_free(file_, claim, pace_)) {
        ::unlink(claim.c_str());
        refuse(file_);
    }
    if (!fs::exists(file_)) {  // let go meanwhile: anybody's again
        ::unlink(claim.c_str());
        if (!create(file_, record_)) refuse(file_);
        return;
    }
    if (::rename(claim.c_str(), file_.c_str()) != 0) {
        if (errno == ENOENT) refuse(file_);
        throw_unwritable(file_.parent_path(), errno);
    }
    log_line(file_.parent_path().string() + ": took over from " + told(holder) +
             ", which no longer runs");
}

/// What can't be read or written for a moment (a server that is away) is no loss.
void StudyLock::renew()
{
    const auto record = text_of(file_);
    std::error_code error;
    const bool gone = !record && !fs::exists(file_, error) && !error;
    if (gone || (record && !record->empty() && *record != record_))
        lost_ = true;
    else
        ::utimensat(AT_FDCWD, file_.c_str(), nullptr, 0);
}

void StudyLock::check() const
{
    if (!lost_) return;
    const auto record = text_of(file_);
    throw UserError(
        {file_.string(), "the lock of this program",
         record ? "that of " + told(holder_of(*record)) : std::string("none"),
         "see that one program alone runs this study, then run the same command again"});
}

}  // namespace barsweep::cli
