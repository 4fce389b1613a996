#include <cstring>
#include <new>

#include "device/buffer.hpp"

namespace barsweep::device {
namespace {

constexpr std::align_val_t cache_line{64};

}  // namespace

void* allocate(Backend, std::size_t bytes)
{
    return ::operator new(bytes, cache_line);
}

void release(Backend, void* memory) noexcept
{
    ::operator delete(memory, cache_line);
}

void copy(Backend, void* to, const void* from, std::size_t bytes)
{
    if (bytes != 0) std::memcpy(to, from, bytes);
}

}  // namespace barsweep::device
