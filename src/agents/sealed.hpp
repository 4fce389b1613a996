#pragma once
#include <string>
#include <string_view>

namespace barsweep::agents {

/// SHA-256 in hex.
std::string digest(std::string_view bytes);

/// A file of ours: the line of its kind and version, the line of what it belongs to, the line of
/// its payload's SHA-256, then the payload.
std::string seal(std::string_view kind, std::string_view identity, std::string_view payload);

struct Unsealed {
    std::string_view identity, payload;  ///< of the bytes given
};

/// Throws UserError beginning with `where` for another kind, and for a payload that isn't what was
/// sealed.
Unsealed unseal(std::string_view bytes, std::string_view kind, const std::string& where);

/// The whole file; throws UserError where it can't be read.
std::string read_whole(const std::string& path);

}  // namespace barsweep::agents
