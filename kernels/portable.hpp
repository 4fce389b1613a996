// The whole standard library of a kernel. NVRTC sees no system headers, so a file under kernels/
// includes nothing but other files under kernels/.
#pragma once

#if defined(__CUDACC__)
#define BARSWEEP_HD __host__ __device__
#define BARSWEEP_EXTENSION
#else
#define BARSWEEP_HD
#define BARSWEEP_EXTENSION __extension__  // keeps -Wpedantic off the next declaration
#endif

namespace barsweep::kernels {

using i8 = signed char;
using i32 = int;
using i64 = long;  // LP64: the type std::int64_t names, which NVRTC does not declare
using u32 = unsigned int;
using u64 = unsigned long;
BARSWEEP_EXTENSION using i128 = __int128;  // NVRTC: --device-int128
static_assert(sizeof(i32) == 4 && sizeof(i64) == 8 && sizeof(i128) == 16);

/// A borrowed row of `size` elements. Trivial, so it travels by value as a kernel argument.
template <class T>
struct View {
    T* data = nullptr;
    i64 size = 0;

    BARSWEEP_HD constexpr T& operator[](i64 i) const { return data[i]; }
};

}  // namespace barsweep::kernels
