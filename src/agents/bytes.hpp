#pragma once
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace barsweep::agents {

/// Appends `count` values as they lie in memory (little-endian: all machines this runs on).
template <class T>
void put(std::string& bytes, const T* values, std::int64_t count = 1)
{
    static_assert(std::is_arithmetic_v<T>, "a struct's padding would make files differ");
    bytes.append(reinterpret_cast<const char*>(values),
                 static_cast<std::size_t>(count) * sizeof(T));
}

/// Takes them from the front again; false where `bytes` is too short.
template <class T>
[[nodiscard]] bool take(std::string_view& bytes, T* values, std::int64_t count = 1)
{
    static_assert(std::is_arithmetic_v<T>);
    const auto size = static_cast<std::size_t>(count) * sizeof(T);
    if (bytes.size() < size) return false;
    std::memcpy(values, bytes.data(), size);
    bytes.remove_prefix(size);
    return true;
}

}  // namespace barsweep::agents
