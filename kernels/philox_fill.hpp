#pragma once
#include "philox.hpp"

namespace barsweep::kernels {

/// Random words of one stream: word i is lane i mod 4 of the block whose counter is
/// (low and high half of i / 4, stream.x, stream.y).
struct PhiloxFillArgs {
    PhiloxKey key;
    PhiloxKey stream;
    View<u32> words;
};

/// The kernel: block `i`, words 4i to 4i + 3.
BARSWEEP_HD constexpr void philox_fill_one(const PhiloxFillArgs& args, i64 i)
{
    const PhiloxCounter block = philox4x32(
        {static_cast<u32>(i), static_cast<u32>(i >> 32), args.stream.x, args.stream.y}, args.key);
    const u32 lanes[4] = {block.x, block.y, block.z, block.w};
    for (i64 j = 0; j < 4 && 4 * i + j < args.words.size; ++j) args.words[4 * i + j] = lanes[j];
}

}  // namespace barsweep::kernels
