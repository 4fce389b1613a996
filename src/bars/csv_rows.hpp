#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bars/csv_columns.hpp"
#include "bars/findings.hpp"
#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/time.hpp"

namespace barsweep::bars {

/// A row as it was read, prices and volume each on its own scale until the file's is known. Packed
/// into a cache line: an import holds all rows at once.
struct RawBar {
    Nanoseconds time;
    std::array<std::int64_t, 5> digits;  ///< open, high, low, close, volume
    std::array<std::uint8_t, 5> places;
    std::uint16_t source;  ///< index of the file
    std::uint32_t line;    ///< in that file, from 1

    Decimal value(std::size_t i) const { return {digits[i], places[i]}; }
    bool same_values(const RawBar& other) const
    {
        return digits == other.digits && places == other.places;
    }
};
static_assert(sizeof(RawBar) == 64);

/// The first fault in full; further ones are counted.
struct Faults {
    std::optional<Problem> first;
    std::int64_t more = 0;

    /// Throws the first, with the count of the others, if there is one.
    void refuse() const;
};

struct RowRules {
    Nanoseconds offset = 0;  ///< of local times, ahead of UTC
    int price_places = 9;    ///< finer prices are a fault
    bool allow_nonpositive = false;
};

inline constexpr int most_places = 9;  ///< of a store's prices and volumes

/// Appends the rows of one file. Faults are collected over the whole file, so that the first can be
/// told with the count of the rest.
void read_rows(const std::string& name, std::string_view text, const CsvLayout& layout,
               const RowRules& rules, std::uint16_t source, std::vector<RawBar>& rows,
               Faults& faults, Findings& findings);

}  // namespace barsweep::bars
