#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "bars/hdf5_handle.hpp"

namespace barsweep::bars {

/// Opens a bar store for reading, without a file lock; throws UserError where it is none.
Handle open_store(const std::filesystem::path& path);

/// In name order.
std::vector<std::string> symbols_in(hid_t file);

/// One symbol's group, with FILE:/SYMBOL for messages.
struct Symbol {
    std::string name;
    std::string where;
    Handle group;
};

/// `name` empty: the only symbol there is.
Symbol open_symbol(hid_t file, const std::filesystem::path& path, std::string name);

}  // namespace barsweep::bars
