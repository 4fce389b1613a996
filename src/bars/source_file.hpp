#pragma once
#include <filesystem>
#include <string>

namespace barsweep::bars {

/// A file as it was given, in memory.
struct SourceFile {
    std::string name;    ///< as the user wrote it: what messages begin with
    std::string text;    ///< contents, unpacked where they were gzip
    std::string sha256;  ///< of the bytes on disk, hex
};

/// Reads a whole file; gzip is known by its first two bytes, never by its name. Throws UserError
/// for a file that isn't there, can't be read, or is a damaged gzip.
SourceFile read_source(const std::filesystem::path& path);

}  // namespace barsweep::bars
