#pragma once
#include <cstddef>
#include <cstdint>

#include "kernels/portable.hpp"

namespace barsweep::agents {

/// Lays out views one after the other from `start`, each at a cache line; nullptr: for the size
/// alone.
struct Carver {
    static constexpr std::int64_t line = 64;  ///< bytes

    std::byte* start;
    std::int64_t used = 0;

    template <class T>
    void operator()(kernels::View<T>& view, std::int64_t count)
    {
        view = {start == nullptr ? nullptr : reinterpret_cast<T*>(start + used), count};
        used += (count * static_cast<std::int64_t>(sizeof(T)) + line - 1) / line * line;
    }
};

}  // namespace barsweep::agents
