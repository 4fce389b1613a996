#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace barsweep {

/// Nanoseconds since 1970-01-01T00:00:00Z.
using Nanoseconds = std::int64_t;

/// ISO 8601 in UTC with as many fractional digits as needed: "2015-12-31T23:59:00Z".
std::string to_iso8601(Nanoseconds time);

/// Length of time as a person writes it: "2h", "90s", "15m", "1d", "250ms". Empty: something else.
std::optional<Nanoseconds> parse_duration(std::string_view text);

/// A date or time in a job file: "2015-06-01", "2015-06-01T12:00:00Z". Empty: something else.
std::optional<Nanoseconds> parse_instant(std::string_view text);

}  // namespace barsweep
