#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
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
    bool ours = true;       ///< else another program's
};

/// The records that were in the file on opening and that a walk meets, in order.
class RecordedLines {
public:
    std::size_t size() const noexcept { return places_.size(); }
    bool empty() const noexcept { return places_.empty(); }
    LedgerLine operator[](std::size_t i) const;
    LedgerLine front() const { return (*this)[0]; }

private:
    friend class Ledger;
    struct Place {
        std::uint64_t begin;
        std::uint32_t size, number;
    };
    std::string_view text_;
    std::vector<Place> places_;
};

/// The study's append-only file, an Optuna journal: one JSON object a line.
///
/// A study that starts again makes the same records in the same order, because every decision is a
/// function of the job and of what was reported (DESIGN 3). So the ledger is both log and resume:
/// on opening it holds the records already there, and `append` first walks over those, comparing
/// (dates, seconds, ranks and devices aside), and only then writes. A record that differs is a
/// UserError naming its line: the folder belongs to another job, or was edited.
///
/// Trials that another program made (Optuna, before this study, between two starts of it or after)
/// are no part of the walk either: their records are handed out at the place where they stand, so
/// that every later start meets them at the same decision (Study::take_foreign).
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
    const RecordedLines& recorded() const noexcept { return recorded_; }

    /// The records of other programs' trials that stand before the record that the next `append` is
    /// compared with, or writes; each is handed out once.
    std::span<const LedgerLine> take_foreign() noexcept;
    /// How many trials other programs made.
    std::int64_t foreign_trials() const noexcept { return foreign_trials_; }

    /// Walks over the next recorded one unseen: a study's creation by another program.
    void pass() noexcept { ++cursor_; }

    /// Calls `f(i, recorded()[i])` for all, without keeping them in memory.
    template <class F>
    void scan(F f) const
    {
        released_ = 0;
        for (std::size_t i = 0; i < recorded_.size(); ++i) {
            f(i, recorded_[i]);
            release(recorded_.places_[i].begin);
        }
        released_ = 0;
    }

    /// Where the walk stands in `recorded()`.
    std::size_t cursor() const noexcept { return cursor_; }

    /// The recorded record that the next `append` is compared with; null: none left.
    /// Valid until the next `append` or `pass`.
    const LedgerLine* next_recorded() const;

    /// Adds a record (a whole JSON object, made by `journal`) to the batch; or compares it while
    /// recorded ones are left.
    void append(std::string_view record);

    /// Writes the batch with one write and one fdatasync; nothing of a batch is acted on before.
    /// A failed write (disk full, file too large, quota) is rolled back with ftruncate and thrown
    /// as UserError: the file keeps whole records only, and the batch is kept for another try. So
    /// is one where another program has written more than attributes meanwhile: nothing is added
    /// behind its records, since they shift the numbers of trials.
    void commit();

    /// The error that `line` isn't what this job would have recorded there.
    UserError refusal(const LedgerLine& line, const std::string& expected) const;

    /// "FILE:LINE", for a message of one's own.
    std::string where(const LedgerLine& line) const;

private:
    void map_text();
    void release(std::size_t before) const;
    void take_lines();
    bool passes_over(const journal::Heading& heading, std::string_view line);
    void check_alone(std::size_t size);
    void cut_torn_end(std::size_t whole);

    std::filesystem::path path_;
    int file_ = -1;
    /// The file as it was opened, mapped: what the walk has passed is given back to the system, so
    /// that a large ledger takes no memory.
    std::string_view text_;
    RecordedLines recorded_;
    mutable LedgerLine next_;  ///< `recorded_[next_at_]`
    mutable std::size_t next_at_ = SIZE_MAX;
    mutable std::size_t released_ = 0;  ///< bytes of `text_` that were given back
    std::vector<LedgerLine> attributes_, foreign_;
    std::vector<std::size_t> foreign_places_;  ///< how many of `recorded_` stand before each
    std::int64_t foreign_trials_ = 0;
    std::string study_;  ///< its name, as the first record says
    std::size_t cursor_ = 0, foreign_cursor_ = 0;
    std::size_t size_ = 0;  ///< of the file, as this program knows it
    std::string batch_;
};

}  // namespace barsweep::search
