#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace barsweep::bars {

inline constexpr std::size_t crc_block = 1 << 20;  ///< bytes

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of each block; the last one may be shorter.
std::vector<std::uint32_t> crc32c_blocks(const void* bytes, std::size_t size);

}  // namespace barsweep::bars
