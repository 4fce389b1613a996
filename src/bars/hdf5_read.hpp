#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bars/hdf5_handle.hpp"

namespace barsweep::bars {

inline constexpr const char* ingest_again = "make the store again with `barsweep ingest`";

/// "64-bit big-endian integer", "64-bit float" ...: for messages.
std::string type_name(hid_t type);

/// "366710 x 4".
std::string shape_name(const std::vector<hsize_t>& shape);

std::vector<hsize_t> shape_of(hid_t dataset);

/// Opens a dataset; refused by its full name where there is none. `where` is FILE:/SYMBOL.
Handle open_dataset(hid_t group, const std::string& where, const std::string& name);

/// Reads a whole dataset of integers of any width, byte order and layout. `shape`: with 0 for a
/// length that may be any. Floats are refused: a price cut to an integer is a wrong price. `verify`
/// checks the bytes against the dataset's crc32c attribute.
std::vector<std::int64_t> read_integers(hid_t group, const std::string& where,
                                        const std::string& name, const std::vector<hsize_t>& shape,
                                        bool verify);

/// Compares crc32c of `bytes`, little-endian as stored by us, with the dataset's attribute.
void check_sums(hid_t dataset, const std::string& where, const void* bytes, std::size_t size);

/// Attributes: empty where there is none of the name and kind.
std::optional<std::int64_t> read_number(hid_t object, const char* name);
std::optional<std::vector<std::string>> read_texts(hid_t object, const char* name);
std::string read_text(hid_t object, const char* name);  ///< the first, or ""

}  // namespace barsweep::bars
