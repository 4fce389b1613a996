#include "search/permutation.hpp"

#include <bit>

#include "base/random.hpp"

namespace barsweep::search {
namespace {

/// Round function: a number keyed by (seed, round, half).
std::uint32_t scrambled(std::uint32_t half, std::uint32_t round, std::uint64_t seed)
{
    return RandomStream(seed, Purpose::sample_parameter, half, ~round).next_u32();
}

std::uint64_t feistel(std::uint64_t x, int half_bits, std::uint64_t seed)
{
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << half_bits) - 1);
    auto left = static_cast<std::uint32_t>(x >> half_bits);
    auto right = static_cast<std::uint32_t>(x) & mask;
    for (std::uint32_t round = 0; round < 8; ++round) {
        const std::uint32_t mixed = (left ^ scrambled(right, round, seed)) & mask;
        left = right;
        right = mixed;
    }
    return static_cast<std::uint64_t>(left) << half_bits | right;
}

}  // namespace

std::uint64_t permuted(std::uint64_t index, std::uint64_t size, std::uint64_t seed)
{
    if (size <= 1) return 0;
    const int half_bits = (static_cast<int>(std::bit_width(size - 1)) + 1) / 2;
    do index = feistel(index, half_bits, seed);
    while (index >= size);
    return index;
}

}  // namespace barsweep::search
