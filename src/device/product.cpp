#include <cstring>
#include <utility>

#include "device/tiled.hpp"

namespace barsweep::device {
namespace {

typedef float Floats8 __attribute__((vector_size(32)));
typedef float Floats16 __attribute__((vector_size(64)));

/// A block of side x side numbers turned over in the registers: for each bit of an index, rows that
/// differ in it exchange the columns that differ in it. (g++'s vectors: nothing is computed.)
template <class Floats>
struct Block {
    static constexpr int side = sizeof(Floats) / sizeof(float);

    template <int bit, int... j>
    static void exchange(Floats (&row)[side], std::integer_sequence<int, j...>)
    {
        for (int i = 0; i < side; ++i) {
            if ((i & bit) != 0) continue;
            const Floats a = row[i], b = row[i + bit];
            row[i] = __builtin_shufflevector(a, b, ((j & bit) == 0 ? j : side + j - bit)...);
            row[i + bit] = __builtin_shufflevector(a, b, ((j & bit) == 0 ? j + bit : side + j)...);
        }
    }

    static void turn(const kernels::Turn& t, int i, int j)
    {
        Floats row[side];
        for (int k = 0; k < side; ++k) {
            if (i + k < t.rows) {
                std::memcpy(&row[k], t.from[i + k] + j, sizeof(Floats));
            } else {
                row[k] = Floats{};
            }
        }
        constexpr std::make_integer_sequence<int, side> columns;
        if constexpr (side > 8) exchange<8>(row, columns);
        exchange<4>(row, columns);
        exchange<2>(row, columns);
        exchange<1>(row, columns);
        for (int k = 0; k < side; ++k) std::memcpy(t.to[j + k] + i, &row[k], sizeof(Floats));
    }

    static void turn_all(const kernels::Turn& t)
    {
        for (int i = 0; i < kernels::padded(t.rows); i += side) {
            for (int j = 0; j < t.columns; j += side) turn(t, i, j);
        }
    }
};

}  // namespace

template <>
void Multiply<Vectors::of_128_bits>::run(const kernels::Product& product)
{
    kernels::product<kernels::tile_of_128_bits>(product);
}

template <>
BARSWEEP_VECTORS("arch=x86-64-v3")
void Multiply<Vectors::of_256_bits>::run(const kernels::Product& product)
{
    kernels::product<kernels::tile_of_256_bits>(product);
}

template <>
BARSWEEP_VECTORS("arch=x86-64-v4")
void Multiply<Vectors::of_512_bits>::run(const kernels::Product& product)
{
    kernels::product<kernels::tile_of_512_bits>(product);
}

template <>
void Multiply<Vectors::of_128_bits>::run(const kernels::Turn& turn)
{
    kernels::turn(turn);
}

template <>
BARSWEEP_VECTORS("arch=x86-64-v3")
void Multiply<Vectors::of_256_bits>::run(const kernels::Turn& turn)
{
    Block<Floats8>::turn_all(turn);
}

template <>
BARSWEEP_VECTORS("arch=x86-64-v4")
void Multiply<Vectors::of_512_bits>::run(const kernels::Turn& turn)
{
    Block<Floats16>::turn_all(turn);
}

}  // namespace barsweep::device
