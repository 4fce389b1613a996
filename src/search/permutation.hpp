#pragma once
#include <cstdint>

namespace barsweep::search {

/// Where `index` of 0..size-1 goes in a permutation keyed by `seed`, without holding it: a Feistel
/// network of eight rounds over the next even power of two, walked along its cycle until it is back
/// in range (J. Black, P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002, section
/// 3): less than four walks on average, since the power is less than four times the size. 0 <=
/// index < size <= 2^62.
std::uint64_t permuted(std::uint64_t index, std::uint64_t size, std::uint64_t seed);

}  // namespace barsweep::search
