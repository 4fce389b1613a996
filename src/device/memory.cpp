#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "device/buffer.hpp"

namespace barsweep::device {
namespace {

constexpr std::size_t cache_line = 64;

/// Memory of a large page and more is asked for in large pages. What a trial works in is about as
/// large as an L2 cache, which holds it whole only where its addresses follow one another: in pages
/// of 4 KiB a part of it falls out (measured: 63 against 141 GB/s reading 2.0 of 2 MiB).
constexpr std::size_t large_page = std::size_t{2} << 20;

}  // namespace

void* allocate(Backend, std::size_t bytes)
{
    const std::size_t unit = bytes < large_page ? cache_line : large_page;
    if (bytes > SIZE_MAX - unit) throw std::bad_alloc();
    void* memory = std::aligned_alloc(unit, (bytes + cache_line - 1) / cache_line * cache_line);
    if (memory == nullptr) throw std::bad_alloc();
    if (unit == large_page) ::madvise(memory, bytes, MADV_HUGEPAGE);  // a wish
    return memory;
}

void release(Backend, void* memory) noexcept
{
    std::free(memory);
}

void copy(Backend, void* to, const void* from, std::size_t bytes)
{
    if (bytes != 0) std::memcpy(to, from, bytes);
}

}  // namespace barsweep::device
