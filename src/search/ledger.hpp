#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "search/journal.hpp"

namespace barsweep::search {

/// A record that was in the file on opening.
struct LedgerLine {
    std::size_t number = 0;  ///< in the file, from 1
    journal::Op op{};
    std::string_view text;  ///< without the newline; lives as long as the ledger
};

/// The study's append-only file, an Optuna journal: one JSON object a line.
///
/// A study that starts again makes the same records in the same order, because every decision is a
/// function of the job and of what was reported (DESIGN 3). So the ledger is both log and resume:
/// on opening it holds the records already there, and `append` first walks over those, comparing
/// (dates, seconds, ranks and devices aside), and only then writes. A record that differs is a
/// UserError naming its line: the folder belongs to another job, or was edited.
///
/// One program writes at a time (the study folder's lock sees to it). Set SIGXFSZ to be ignored, or
/// a file-size limit kills the process instead of being reported.
class Ledger {
public:
    /// Opens or creates. A torn last line is copied to `ledger.torn.TIME` beside it, cut off, and
    /// said on the log; a bad line in the middle throws UserError with its number and changes
    /// nothing; an exact repeat of a trial's final record counts once.
    explicit Ledger(std::filesystem::path path);
    ~Ledger();
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;

    /// Study attributes of ours: facts, not decisions, so they are no part of the walk.
    const std::vector<LedgerLine>& attributes() const noexcept { return attributes_; }

    /// All other records, in order. (Attributes that others added, as optuna-dashboard does for a
    /// note, are passed over.)
    const std::vector<LedgerLine>& recorded() const noexcept { return recorded_; }

    /// The recorded record that the next `append` is compared with; null: none left.
    const LedgerLine* next_recorded() const noexcept;

    /// Adds a record (a whole JSON object, made by `journal`) to the batch; or compares it while
    /// recorded ones are left.
    void append(std::string_view record);

    /// Writes the batch with one write and one fdatasync; nothing of a batch is acted on before.
    /// A failed write (disk full, file too large, quota) is rolled back with ftruncate and thrown
    /// as UserError: the file keeps whole records only, and the batch is kept for another try.
    void commit();

    /// The error that `line` isn't what this job would have recorded there.
    UserError refusal(const LedgerLine& line, const std::string& expected) const;

private:
    void take_lines();
    void cut_torn_end(std::size_t whole);

    std::filesystem::path path_;
    int file_ = -1;
    std::string text_;  ///< the file as it was opened, whole records only
    std::vector<LedgerLine> recorded_, attributes_;
    std::size_t cursor_ = 0;
    std::string batch_;
};

}  // namespace barsweep::search
