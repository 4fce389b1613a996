#pragma once
#include <cstdint>

namespace barsweep::agents {

/// Calls of `operator new` in this program so far, and the bytes they asked for; the sanitizers'
/// allocators aren't counted.
struct CountedNew {
    std::int64_t calls = 0;
    std::int64_t bytes = 0;
};
CountedNew& counted_new();

}  // namespace barsweep::agents
