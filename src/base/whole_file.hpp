#pragma once
#include <filesystem>
#include <string>

namespace barsweep {

/// Writes a result file whole or not at all: PATH.part, fsync, rename, fsync of the folder. Throws
/// UserError with the system's reason, and leaves what stood there before.
void write_whole(const std::filesystem::path& path, const std::string& text);

}  // namespace barsweep
