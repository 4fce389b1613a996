#include "bars/crc.hpp"

#include <isa-l/crc.h>

#include <algorithm>

namespace barsweep::bars {

std::vector<std::uint32_t> crc32c_blocks(const void* bytes, std::size_t size)
{
    // The library takes a non-const pointer and leaves first and last inversion to the caller.
    auto* at = static_cast<unsigned char*>(const_cast<void*>(bytes));
    std::vector<std::uint32_t> sums;
    for (std::size_t done = 0; done < size; done += crc_block) {
        const auto block = std::min(crc_block, size - done);
        sums.push_back(~crc32_iscsi(at + done, static_cast<int>(block), ~0u));
    }
    return sums;
}

}  // namespace barsweep::bars
