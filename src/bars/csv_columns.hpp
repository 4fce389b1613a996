#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace barsweep::bars {

enum class CsvFormat { automatic, csv, binance, bitfinex };

/// What a row's cells are for; also the order of fields everywhere in the importer.
enum Field { time_field, open_field, high_field, low_field, close_field, volume_field };
inline constexpr std::size_t fields = 6;
inline constexpr std::array<std::string_view, fields> field_names{"time", "open",  "high",
                                                                  "low",  "close", "volume"};

/// Where a file keeps what.
struct CsvLayout {
    static constexpr int absent = -1;

    char delimiter = ',';
    std::array<int, fields> column{};        ///< cell of each field; `absent` for volume only
    std::array<std::string, fields> name{};  ///< as the file calls it, for messages
    std::size_t cells = 0;                   ///< of every row
    std::int64_t first_line = 1;             ///< of data, counted from 1
    std::string note;                        ///< what was taken for granted, for a person; or empty
};

/// Decides from the head of the file, its whole text at hand. `columns` (`--columns`) names the
/// cells in order ("time,open,high,low,close,volume"; any other name is a cell to pass over);
/// empty: by header name or format. Throws UserError for a missing or ambiguous column, for a file
/// without data rows, and for one whose order can't be known.
CsvLayout find_layout(const std::string& name, std::string_view text, CsvFormat format,
                      const std::string& columns);

}  // namespace barsweep::bars
