#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace barsweep::cli {

/// Single letters to insert, delete, replace, or swap with their neighbour to get from `a` to `b`
/// (optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name a person most likely meant: one that differs only before the last point (a key in
/// the wrong section), else one that begins so, else the least edit distance; the first of equals.
/// `known` is not empty.
std::string nearest(std::string_view text, const std::vector<std::string>& known);

}  // namespace barsweep::cli
