#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace barsweep::search {

/// The study's append-only file, an Optuna journal: one JSON object a line.
///
/// A study that starts again makes the same records in the same order, because every decision is a
/// function of the job and of what was reported (DESIGN 3). So the ledger is both log and resume:
/// on opening it holds the records already there, and `append` first walks over those, comparing
/// (dates, seconds, ranks, devices and worker ids aside), and only then writes. A record that
/// differs is a UserError naming its line: the folder belongs to another job, or was edited.
class Ledger {
public:
    /// Opens or creates. A torn last line is copied to `PATH.torn.TIME`, cut off, and said on the
    /// log; a bad line in the middle throws UserError with its number and changes nothing; an exact
    /// repeat of a trial's final record counts once.
    explicit Ledger(std::filesystem::path path);
    ~Ledger();
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;

    /// Records that were in the file on opening, in order.
    const std::vector<nlohmann::ordered_json>& recorded() const noexcept { return recorded_; }

    /// The recorded record that the next `append` would be compared with; null: none left.
    const nlohmann::ordered_json* next_recorded() const noexcept;

    /// Adds a record (without worker_id, which the ledger supplies) to the batch. Compared instead
    /// of added while recorded ones are left.
    void append(nlohmann::ordered_json record);

    /// Writes the batch with one write and one fdatasync; nothing of a batch is acted on before.
    /// A failed write (disk full, file too large, quota) is rolled back with ftruncate and thrown
    /// as UserError: the file keeps whole records only.
    void commit();

private:
    std::filesystem::path path_;
    int file_ = -1;
    std::vector<nlohmann::ordered_json> recorded_;
    std::size_t cursor_ = 0;
    std::string batch_;
};

/// Now, as Optuna writes times: UTC, microseconds, "+00:00".
std::string journal_time();

}  // namespace barsweep::search
