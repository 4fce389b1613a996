#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "bars/bar_series.hpp"
#include "bars/bar_store.hpp"
#include "bars/csv_columns.hpp"

namespace barsweep::bars {

enum class Duplicates { error, first, last };
enum class Gaps { report, fill, error };

/// `barsweep ingest`; FORMATS.md lists the keys.
struct ImportOptions {
    CsvFormat format = CsvFormat::automatic;
    std::string columns;           ///< cells in order; empty: by header or format
    std::string timezone = "UTC";  ///< of times that name none: UTC or a fixed offset
    std::string symbol;            ///< empty: from the first file's name
    int decimals = 9;              ///< finer prices are an error
    Duplicates duplicates = Duplicates::error;
    bool sort = false;  ///< rows may stand in any order; steps back are then findings
    Gaps gaps = Gaps::report;
    bool allow_nonpositive = false;
    double max_jump = 0.5;  ///< relative change from close to close that is worth a finding
};

struct Import {
    BarSeries series;  ///< with sigma
    StoreInfo info;    ///< created_by is the caller's to fill
};

/// Reads files that together are one market's bars, in order. Throws UserError naming file, line
/// and column of the first thing that is wrong.
Import import_csv(const std::vector<std::filesystem::path>& files, const ImportOptions& options);

}  // namespace barsweep::bars
