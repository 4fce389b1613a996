#pragma once
#include <filesystem>
#include <string_view>

namespace barsweep {

/// Writes a file whole or not at all: PATH.part, fsync, rename, fsync of the folder. Throws
/// UserError with the system's reason, and leaves what stood there before.
void write_whole(const std::filesystem::path& path, std::string_view text);

/// Writes all of `text` to an open file; 0, or the system's error number.
int write_all(int file, std::string_view text);

/// A new or renamed file is kept over a power cut once the folder it lies in is on the disk. 0, or
/// the system's error number; file systems that can't sync a folder need it not, and count as 0.
int sync_folder_of(const std::filesystem::path& file);

}  // namespace barsweep
