#pragma once
#include "kernels/affine.hpp"

// Kernels that multiply matrices. BARSWEEP_WIDE (base/wide.hpp) builds one text for every
// processor; here the tiles go with it. The bits are the same.
namespace barsweep::device {

enum class Vectors { of_128_bits, of_256_bits, of_512_bits };

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BARSWEEP_VECTORS(target_name) [[gnu::target(target_name), gnu::flatten]]

inline Vectors widest_vectors()
{
    static const Vectors widest = __builtin_cpu_supports("x86-64-v4")   ? Vectors::of_512_bits
                                  : __builtin_cpu_supports("x86-64-v3") ? Vectors::of_256_bits
                                                                        : Vectors::of_128_bits;
    return widest;
}
#else
#define BARSWEEP_VECTORS(target_name)

inline Vectors widest_vectors()
{
    return Vectors::of_128_bits;
}
#endif

/// kernels::product and kernels::turn, built once for each kind of vectors.
template <Vectors vectors>
struct Multiply {
    static void run(const kernels::Product& product);
    static void run(const kernels::Turn& turn);
};

template <class Kernel, class Args>
BARSWEEP_VECTORS("arch=x86-64-v4")
void run_512(const Args& args)
{
    Kernel::template run<Multiply<Vectors::of_512_bits>>(args);
}

template <class Kernel, class Args>
BARSWEEP_VECTORS("arch=x86-64-v3")
void run_256(const Args& args)
{
    Kernel::template run<Multiply<Vectors::of_256_bits>>(args);
}

/// Runs `Kernel::run<Multiply<...>>(args)`, built for `vectors`, which the processor must have.
template <class Kernel, class Args>
void run_tiled(const Args& args, Vectors vectors = widest_vectors())
{
    if (vectors == Vectors::of_512_bits) {
        run_512<Kernel>(args);
    } else if (vectors == Vectors::of_256_bits) {
        run_256<Kernel>(args);
    } else {
        Kernel::template run<Multiply<Vectors::of_128_bits>>(args);
    }
}

}  // namespace barsweep::device
