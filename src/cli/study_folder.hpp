#pragma once
#include <filesystem>
#include <string>

#include "base/error.hpp"

namespace barsweep::cli {

/// A study's folder, held by one running program: made where it is missing, and locked until the
/// object goes. The kernel drops the lock with its process, so a killed run leaves nothing to clean
/// up. Throws UserError for a folder that can't be made or written, and for one that another
/// running program holds (naming its host and pid).
class StudyFolder {
public:
    explicit StudyFolder(std::filesystem::path path);
    ~StudyFolder();
    StudyFolder(const StudyFolder&) = delete;
    StudyFolder& operator=(const StudyFolder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    std::filesystem::path ledger() const { return path_ / "ledger.jsonl"; }

    /// Writes `name` in the folder whole or not at all (base/whole_file.hpp).
    void write(const std::string& name, const std::string& text) const;

    /// Takes `name` out of the folder, where it is there.
    void remove(const std::string& name) const;

private:
    std::filesystem::path path_;
    int lock_ = -1;
};

}  // namespace barsweep::cli
