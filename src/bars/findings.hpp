#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace barsweep::bars {

/// Something the import saw in a source file.
struct Finding {
    std::int64_t line = 0;  ///< of the file, counted from 1
    std::string column;     ///< empty: the whole row
    std::string what;       ///< for a person
};

inline constexpr std::size_t most_findings = 20;  ///< kept in full of each kind

/// All findings of one kind; the first few of them in full.
struct FindingList {
    std::int64_t count = 0;
    std::vector<Finding> first;  ///< at most `most_findings`
};

/// By kind: gap, filled_bar, duplicate, conflicting_duplicate, backward_step, zero_volume, jump,
/// nonpositive_price, blank_line, comment_line, assumed (what was taken for granted).
using Findings = std::map<std::string, FindingList>;

void add_finding(Findings& findings, const std::string& kind, Finding finding);

}  // namespace barsweep::bars
