#include "counted_new.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "support.hpp"

namespace barsweep::agents {

CountedNew& counted_new()
{
    static CountedNew counted;
    return counted;
}

namespace {

TEST(CountedNew, CountsWhatAVectorAsksFor)
{
    if (own_allocator) GTEST_SKIP() << "a sanitizer's allocator";
    const auto before = counted_new();
    const std::vector<double> row(100);
    EXPECT_EQ(counted_new().calls, before.calls + 1);
    EXPECT_EQ(counted_new().bytes, before.bytes + 800);
}

}  // namespace
}  // namespace barsweep::agents

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

void* counted(std::size_t size, std::size_t line)
{
    auto& all = barsweep::agents::counted_new();
    ++all.calls;
    all.bytes += static_cast<std::int64_t>(size);
    const std::size_t whole = (size + line - 1) / line * line;
    if (whole >= size) {
        if (void* memory = std::aligned_alloc(line, whole > 0 ? whole : line)) return memory;
    }
    throw std::bad_alloc{};
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size)
{
    return counted(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t line)
{
    return counted(size, static_cast<std::size_t>(line));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept
{
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept
{
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    std::free(memory);
}

#endif
