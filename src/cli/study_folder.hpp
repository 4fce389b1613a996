#pragma once
#include <filesystem>
#include <string>

#include "cli/study_lock.hpp"

namespace barsweep::cli {

/// A study's folder, held by one running program: made where it is missing, and locked until the
/// object goes (StudyLock: a killed run's lock is taken over). Throws UserError for a folder that
/// can't be made or written, and for one that another running program holds (naming its host and
/// pid).
class StudyFolder {
public:
    explicit StudyFolder(std::filesystem::path path);
    StudyFolder(const StudyFolder&) = delete;
    StudyFolder& operator=(const StudyFolder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    std::filesystem::path ledger() const { return path_ / "ledger.jsonl"; }

    /// Throws UserError where another program has taken the folder.
    void check_held() const { lock_.check(); }

    /// Writes `name` in the folder whole or not at all (base/whole_file.hpp).
    void write(const std::string& name, const std::string& text) const;

    /// Takes `name` out of the folder, where it is there.
    void remove(const std::string& name) const;

private:
    std::filesystem::path path_;
    StudyLock lock_;
};

}  // namespace barsweep::cli
