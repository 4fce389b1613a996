#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bars/bar_series.hpp"
#include "bars/findings.hpp"

namespace barsweep::bars {

/// What a store says of one symbol beside the bars themselves.
struct StoreInfo {
    std::vector<std::string> sources;  ///< "NAME sha256" of each imported file
    std::string created_by;
    std::string timezone;  ///< of the source's times
    std::string canonical_sha256;
    Findings findings;
    std::int64_t warmup = 240;  ///< first rows that no policy which reads features decides on
    std::int64_t features = 0;  ///< columns of the features dataset; 0: there is none
    std::string features_type;  ///< as stored, "32-bit float"
    std::vector<std::string> feature_names;  ///< [features]
};

/// What the features of one symbol are, without the values. A store may bring its own.
struct FeatureTable {
    std::int64_t rows = 0;   ///< one a bar
    std::int64_t count = 0;  ///< columns, 1 to 512
    std::string type;        ///< as stored, "32-bit float"
    /// [count] the attribute feature_names; without one, feature_1 and so on.
    std::vector<std::string> names;
};

/// Writes one symbol's bars and their features as FORMATS.md says: FILE.part, every call checked,
/// fsync, reopened and verified, rename, fsync of the folder. Throws UserError (read-only folder,
/// full disk) and leaves no half-written file.
void write_store(const std::filesystem::path& path, const BarSeries& series, const StoreInfo& info);

/// Symbols in a store, in name order.
std::vector<std::string> list_symbols(const std::filesystem::path& path);

/// Reads one symbol; `symbol` empty: the only one in the store. Takes any byte order and layout
/// (contiguous, chunked, compressed); datasets of the wrong shape or type are refused naming the
/// dataset, what was expected and what was found. `verify` reads every checksum as well.
BarSeries read_store(const std::filesystem::path& path, const std::string& symbol = {},
                     bool verify = false);

/// The information beside the bars, for `barsweep info`. Refuses features that are not finite.
StoreInfo read_info(const std::filesystem::path& path, const std::string& symbol = {});

/// Refused with "ingest again" where the store has no features, as by the two below.
FeatureTable describe_features(const std::filesystem::path& path, const std::string& symbol = {});

/// [rows, count] of any stored float, as float. Checksums, where there are some, must be right and
/// every value finite.
std::vector<float> read_features(const std::filesystem::path& path, const std::string& symbol = {});

/// The same into memory of the caller's, rows * count values: contiguous little-endian float32, as
/// write_store makes it, comes by pread straight from its place in the file.
void read_features_into(const std::filesystem::path& path, const std::string& symbol, float* out,
                        std::size_t size);

}  // namespace barsweep::bars
