#pragma once
#include <hdf5.h>

#include <optional>
#include <vector>

#include "bars/findings.hpp"
#include "bars/hdf5_handle.hpp"

namespace barsweep::bars {

/// Findings as rows of the dataset `findings`: kind, count of that kind, line, column, text;
/// strings padded with zeros to the longest. A kind whose findings were only counted has one row
/// without text.
struct FindingsTable {
    Handle type;              ///< compound, packed
    std::vector<char> bytes;  ///< rows of that type
    hsize_t rows;
};

FindingsTable to_table(const Findings& findings);

/// Empty: the type isn't one of ours.
std::optional<Findings> from_table(hid_t type, const std::vector<char>& bytes);

}  // namespace barsweep::bars
