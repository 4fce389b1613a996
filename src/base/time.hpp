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

/// A time as bar files write it: what `parse_instant` takes; "DD.MM.YYYY HH:MM:SS.mmm";
/// "2017-07-01 11-PM"; "20150601"; or a count since the epoch, whose size tells seconds (below
/// 10^11), milliseconds (10^14), microseconds (10^17) or nanoseconds. `offset` is what local time
/// is ahead of UTC, taken off times that name no zone of their own (a count never needs it). Never
/// looks at the host's zone. Empty: something else, or outside the years 1678 to 2261.
std::optional<Nanoseconds> parse_timestamp(std::string_view text, Nanoseconds offset = 0);

/// A fixed zone as local time minus UTC: "UTC", "Z", "UTC-5", "+02:00", "GMT+0530". Empty: a zone
/// by name (this program carries no time-zone database) or something else.
std::optional<Nanoseconds> parse_zone(std::string_view text);

}  // namespace barsweep
