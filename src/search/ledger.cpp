#include "search/ledger.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "base/log.hpp"
#include "base/whole_file.hpp"
#include "search/json_text.hpp"

namespace barsweep::search {
namespace {

namespace fs = std::filesystem;

UserError file_error(const fs::path& path, const std::string& expected, int error,
                     const std::string& fix)
{
    return UserError({path.string(), expected, std::strerror(error), fix}, Exit::machine);
}

/// Writes all of `text` to the disk; 0, or the system's error number.
int write_through(int file, std::string_view text)
{
    if (const int error = write_all(file, text); error != 0) return error;
    return ::fdatasync(file) == 0 ? 0 : errno;
}

void sync_folder(const fs::path& file)
{
    if (const int error = sync_folder_of(file); error != 0)
        throw file_error(file, "a file in a folder that can be synced", error,
                         "give another --out");
}

std::string study_name(std::string_view record)
{
    const auto json = nlohmann::json::parse(strict_json(record), nullptr, false);
    const auto name = json.find("study_name");
    return name != json.end() && name->is_string() ? name->get<std::string>() : "";
}

std::string way_out(const fs::path& path, std::size_t line)
{
    const std::string name = path.string();
    return "keep a copy of the ledger, then cut it before that line (head -n " +
           std::to_string(line - 1) + " " + name + " > " + name + ".cut && mv " + name + ".cut " +
           name + ") and run the same command again: what came after is computed anew";
}

/// For a message: the head of a record says operation, trial and parameter.
std::string shortened(std::string_view record)
{
    constexpr std::size_t most = 200;
    if (record.empty()) return "an empty line";
    std::string text(record.substr(0, most));
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 0x20; }, '?');
    return record.size() <= most ? text : text + " ...";
}

}  // namespace

Ledger::Ledger(fs::path path) : path_(std::move(path))
{
    constexpr int flags = O_RDWR | O_APPEND | O_CLOEXEC;
    file_ = ::open(path_.c_str(), flags);
    const bool fresh = file_ < 0 && errno == ENOENT;
    if (fresh) file_ = ::open(path_.c_str(), flags | O_CREAT | O_EXCL, 0644);
    if (file_ < 0)
        throw file_error(path_, "a ledger that can be read and written", errno,
                         "make the folder writable, or give another --out");
    try {
        if (fresh) sync_folder(path_);
        take_lines();
    } catch (...) {
        if (!text_.empty()) ::munmap(const_cast<char*>(text_.data()), text_.size());
        ::close(file_);
        throw;
    }
}

LedgerLine RecordedLines::operator[](std::size_t i) const
{
    const auto& [begin, size, number] = places_[i];
    const auto line = text_.substr(begin, size);
    const auto heading = journal::heading(line).value();
    return {number, heading.op, line, heading.ours};
}

void Ledger::map_text()
{
    struct stat status {};
    if (::fstat(file_, &status) != 0)
        throw file_error(path_, "a ledger that can be read", errno, "check the disk");
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return;
    void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_, 0);
    if (begin == MAP_FAILED)
        throw file_error(path_, "a ledger that can be read", errno, "check the disk");
    text_ = recorded_.text_ = {static_cast<const char*>(begin), size};
}

/// Gives back the memory of what stands before a byte, by and by.
void Ledger::release(std::size_t before) const
{
    constexpr std::size_t portion = std::size_t{8} << 20;  // whole pages
    while (released_ + portion <= before) {
        ::madvise(const_cast<char*>(text_.data()) + released_, portion, MADV_DONTNEED);
        released_ += portion;
    }
}

Ledger::~Ledger()
{
    if (!text_.empty()) ::munmap(const_cast<char*>(text_.data()), text_.size());
    ::close(file_);
}

/// What others write without changing a study: attributes, as optuna-dashboard does for a note, and
/// the creation of the same study once more, which Optuna's load_if_exists leaves on every start.
bool Ledger::passes_over(const journal::Heading& heading, std::string_view line)
{
    using journal::Op;
    if (heading.op == Op::create_study && study_.empty()) {
        study_ = study_name(line);
        return false;
    }
    if (heading.ours) return false;
    return heading.op == Op::study_attribute || heading.op == Op::study_system_attribute ||
           heading.op == Op::trial_attribute || heading.op == Op::trial_system_attribute ||
           heading.op == Op::discard_trials ||
           (heading.op == Op::create_study && study_name(line) == study_);
}

/// Every line is checked before anything is changed.
void Ledger::take_lines()
{
    map_text();
    std::unordered_set<std::string_view> finals;
    std::vector<bool> is_foreign;  // by trial
    std::size_t begin = 0, number = 0;
    std::optional<std::size_t> bad;  // a bad line, torn if it turns out to be the last
    while (begin < text_.size()) {
        if (bad)
            throw UserError(
                {path_.string() + ":" + std::to_string(number), "one whole journal record a line",
                 shortened(text_.substr(*bad, begin - 1 - *bad)), way_out(path_, number)});
        const std::size_t end = text_.find('\n', begin);
        const auto line = text_.substr(begin, end - begin);
        ++number;
        const auto heading = end != text_.npos && is_json_object(line)
                                 ? journal::heading(line)
                                 : std::optional<journal::Heading>();
        if (heading && heading->op == journal::Op::create_trial)
            is_foreign.push_back(!heading->ours);
        if (!heading)
            bad = begin;
        else if (heading->ours && heading->op == journal::Op::study_attribute)
            attributes_.push_back({number, heading->op, line, true});
        else if (passes_over(*heading, line))
            ;
        else if (!heading->ours &&
                 (heading->op == journal::Op::create_trial ||
                  (heading->trial >= 0 && heading->trial < std::ssize(is_foreign) &&
                   is_foreign[static_cast<std::size_t>(heading->trial)]))) {
            foreign_.push_back({number, heading->op, line, false});
            foreign_places_.push_back(recorded_.size());
            foreign_trials_ += heading->op == journal::Op::create_trial;
        } else if (heading->op != journal::Op::finish || finals.insert(line).second)
            recorded_.places_.push_back({begin, static_cast<std::uint32_t>(line.size()),
                                         static_cast<std::uint32_t>(number)});
        begin = end == text_.npos ? text_.size() : end + 1;
        release(begin);
    }
    released_ = 0;
    recorded_.places_.shrink_to_fit();
    size_ = bad.value_or(text_.size());
    if (bad) cut_torn_end(*bad);
}

std::span<const LedgerLine> Ledger::take_foreign() noexcept
{
    const auto begin = foreign_cursor_;
    while (foreign_cursor_ < foreign_.size() && foreign_places_[foreign_cursor_] <= cursor_)
        ++foreign_cursor_;
    return std::span(foreign_).subspan(begin, foreign_cursor_ - begin);
}

void Ledger::cut_torn_end(std::size_t whole)
{
    std::string when = journal::time();
    std::erase_if(when, [](char c) { return c == '-' || c == ':'; });
    fs::path aside = path_;
    aside.replace_extension(".torn." + when.substr(0, when.find('+')) + "Z");
    const auto torn = text_.substr(whole);

    const int copy = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    const int error = copy < 0 ? errno : write_through(copy, torn);
    if (copy >= 0) ::close(copy);
    if (error != 0)
        throw file_error(aside, "room for a copy of the torn last line", error,
                         "make room in the folder, then run the same command again");
    sync_folder(aside);
    if (::ftruncate(file_, static_cast<off_t>(whole)) != 0 || ::fdatasync(file_) != 0)
        throw file_error(path_, "a ledger whose torn last line can be cut off", errno,
                         "make the file writable");
    log_line(path_.string() + ": an incomplete last record (" + std::to_string(torn.size()) +
             " bytes) was cut off; it is kept in " + aside.string());
}

const LedgerLine* Ledger::next_recorded() const
{
    if (cursor_ >= recorded_.size()) return nullptr;
    if (next_at_ != cursor_) {
        next_ = recorded_[cursor_];
        next_at_ = cursor_;
        release(recorded_.places_[cursor_].begin);
    }
    return &next_;
}

void Ledger::append(std::string_view record)
{
    if (const auto* next = next_recorded()) {
        const auto expected = journal::stable_part(record);
        if (journal::stable_part(next->text) != expected)
            throw refusal(*next, std::string(expected));
        ++cursor_;
        return;
    }
    if (study_.empty()) study_ = study_name(record);  // the first record creates it
    batch_.append(record).push_back('\n');
}

void Ledger::commit()
{
    if (batch_.empty()) return;
    struct stat status {};
    int error = ::fstat(file_, &status) == 0 ? 0 : errno;
    if (error == 0) {
        check_alone(static_cast<std::size_t>(status.st_size));
        error = write_through(file_, batch_);
    }
    if (error == 0) {
        size_ += batch_.size();
        batch_.clear();
        return;
    }
    const bool rolled_back = ::ftruncate(file_, status.st_size) == 0 && ::fdatasync(file_) == 0;
    throw file_error(
        path_, "room for " + std::to_string(batch_.size()) + " bytes more", error,
        std::string("make room on the disk, or raise the quota or `ulimit -f`, and run "
                    "the same command again: ") +
            (rolled_back ? "the ledger keeps every whole record"
                         : "a torn last record will be cut off then"));
}

/// Looks at what has come to the file since this program last wrote it.
void Ledger::check_alone(std::size_t size)
{
    if (size == size_) return;
    std::string added(size > size_ ? size - size_ : 0, '\0');
    const bool known = size > size_ && ::pread(file_, added.data(), added.size(),
                                               static_cast<off_t>(size_)) == std::ssize(added);
    std::string_view rest = added;
    bool harmless = known && added.ends_with('\n');
    while (harmless && !rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        const auto heading =
            is_json_object(line) ? journal::heading(line) : std::optional<journal::Heading>();
        harmless = heading && passes_over(*heading, line);
        if (harmless) rest.remove_prefix(line.size() + 1);
    }
    if (!harmless)
        throw UserError(
            {path_.string(), "no other program that writes trials while this one runs",
             size < size_ ? "fewer bytes than were written"
                          : shortened(rest.substr(0, rest.find('\n'))),
             "end the other program, then run the same command again: whole trials that "
             "it wrote are taken in"});
    size_ = size;
}

std::string Ledger::where(const LedgerLine& line) const
{
    return path_.string() + ":" + std::to_string(line.number);
}

UserError Ledger::refusal(const LedgerLine& line, const std::string& expected) const
{
    return UserError({where(line), "the record that this job makes there, " + shortened(expected),
                      shortened(journal::stable_part(line.text)),
                      "give the job and data that this folder began with, or another --out; if the "
                      "line is damaged, " +
                          way_out(path_, line.number)});
}

}  // namespace barsweep::search
