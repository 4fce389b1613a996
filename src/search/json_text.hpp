#pragma once
#include <string>
#include <string_view>

namespace barsweep::search {

/// JSON as Python writes and reads it: NaN, Infinity and -Infinity are numbers too.

/// Whether `line` is one whole JSON object in UTF-8 and nothing else. No allocation, so that a ledger of
/// many megabytes is checked as it is opened.
bool is_json_object(std::string_view line);

/// `line` in strict JSON: the three names above, where they stand as numbers, become strings.
std::string strict_json(std::string_view line);

/// A number in its shortest form, always with a point or exponent (so that Python sees a float), or
/// one of the three names.
std::string json_number(double value);

/// A string with its quotes; bytes that aren't UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace barsweep::search
