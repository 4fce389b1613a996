#pragma once
#include <filesystem>
#include <vector>

#include "search/space.hpp"

namespace barsweep::search {

/// The points of a file to try first: a JSON list of objects (parameter: number or text), or CSV
/// (RFC 4180) whose header names parameters; an empty cell leaves its parameter to be drawn. Throws
/// UserError naming file, line or number of the object, and parameter, for one that the space
/// lacks, a value it can't draw, or one whose condition another value of the point denies.
std::vector<Params> read_enqueued(const std::filesystem::path& file, const Space& space);

}  // namespace barsweep::search
