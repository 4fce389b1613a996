#pragma once
#include "math.hpp"
#include "mlp_shape.hpp"

namespace barsweep::kernels {

/// What is done with a sum before it is stored.
enum class End : i32 {
    plain,
    relu,        ///< max(0, sum)
    relu_slope,  ///< sum where `seen` > 0, else 0
    tanh_slope   ///< sum (1 - seen^2)
};

/// c = start + a b. Element (m, n) is start[m][n], or 0 where there is none, then for k ascending
/// fused(a(m, k), b(k, n), sum): one chain. No tile, vector or device changes a bit.
struct Product {
    const float* a;  ///< a(m, k) at a[m * a_row + k * a_step]
    i64 a_row;
    i64 a_step;
    Rows<const float> b;      ///< [steps, columns]
    Rows<const float> start;  ///< [rows, columns] or null
    Rows<float> c;            ///< [rows, columns]
    i64 rows;
    i32 columns;  ///< a multiple of row_unit
    i64 steps;
    End end = End::plain;
    Rows<const float> seen = {nullptr, 0};  ///< [rows, columns], of the slopes; may be c
};

/// NaN stays NaN.
BARSWEEP_HD constexpr float relu(float x)
{
    return 0 > x ? 0 : x;
}

/// sum += x b
template <int width>
BARSWEEP_HD constexpr void fused_units(float x, const float* b, float* sum)
{
    if constexpr (width == row_unit) {
#pragma GCC unroll 1  // g++ would undo a loop of sixteen before it makes a vector of it
        for (int j = 0; j < width; ++j) sum[j] = fused(x, b[j], sum[j]);
    } else {
        for (int j = 0; j < width; ++j) sum[j] = fused(x, b[j], sum[j]);
    }
}

/// Rows `row` to row + rows - 1, columns `column` to column + width - 1. Plain C++: g++ keeps `sum`
/// in vector registers where it fits them, and comes to the speed of intrinsics.
template <int rows, int width>
BARSWEEP_HD constexpr void product_tile(const Product& p, i64 row, i32 column)
{
    float sum[rows][width];
    for (int r = 0; r < rows; ++r) {
        const float* start = p.start.data == nullptr ? nullptr : p.start[row + r] + column;
        for (int j = 0; j < width; ++j) sum[r][j] = start == nullptr ? 0 : start[j];
    }
    const float* a = p.a + row * p.a_row;
    const float* b = p.b.data + column;
#pragma GCC unroll 2
    for (i64 k = 0; k < p.steps; ++k, a += p.a_step, b += p.b.stride) {
        for (int r = 0; r < rows; ++r) {
            const float x = a[r * p.a_row];
            fused_units<width>(x, b, sum[r]);
        }
    }
    for (int r = 0; r < rows; ++r) {
        float* c = p.c[row + r] + column;
        if (p.end == End::relu) {
            for (int j = 0; j < width; ++j) c[j] = relu(sum[r][j]);
        } else if (p.end == End::relu_slope) {
            const float* seen = p.seen[row + r] + column;
            for (int j = 0; j < width; ++j) c[j] = seen[j] > 0 ? sum[r][j] : 0;
        } else if (p.end == End::tanh_slope) {
            const float* seen = p.seen[row + r] + column;
            for (int j = 0; j < width; ++j) c[j] = sum[r][j] * fused(-seen[j], seen[j], 1);
        } else {
            for (int j = 0; j < width; ++j) c[j] = sum[r][j];
        }
    }
}

/// Which tiles fill a processor's vector registers.
struct Tile {
    int rows;
    int columns;
    int narrow;  ///< rows of a tile of row_unit columns
    int lone;    ///< columns of a tile of one row
};
inline constexpr Tile tile_of_512_bits{6, 64, 14, 256};
inline constexpr Tile tile_of_256_bits{6, 16, 6, 64};
inline constexpr Tile tile_of_128_bits{2, 16, 2, 16};

template <int rows, int width>
BARSWEEP_HD constexpr void product_rows(const Product& p, i64 row, i64 count, i32 column)
{
    if (count == rows) {
        product_tile<rows, width>(p, row, column);
    } else if constexpr (rows > 1) {
        product_rows<rows - 1, width>(p, row, count, column);
    }
}

/// All rows of `width` columns, in blocks of nearly the same number of rows.
template <int most, int width>
BARSWEEP_HD constexpr void product_panel(const Product& p, i32 column)
{
    const i64 blocks = (p.rows + most - 1) / most;
    i64 row = 0;
    for (i64 block = 0; block < blocks; ++block) {
        const i64 count = (p.rows - row) / (blocks - block);
        product_rows<most, width>(p, row, count, column);
        row += count;
    }
}

template <Tile tile>
BARSWEEP_HD constexpr void product(const Product& p)
{
    i32 column = 0;
    if (p.rows == 1) {
        for (; column + tile.lone <= p.columns; column += tile.lone) {
            product_tile<1, tile.lone>(p, 0, column);
        }
    }
    for (; column + tile.columns <= p.columns; column += tile.columns) {
        product_panel<tile.rows, tile.columns>(p, column);
    }
    if constexpr (tile.columns > row_unit) {
        for (; column < p.columns; column += row_unit) {
            product_panel<tile.narrow, row_unit>(p, column);
        }
    }
}

/// A product's elements on a GPU: tiles of 4 rows by 4 columns, adjacent columns adjacent.
inline constexpr int thread_rows = 4, thread_columns = 4;

BARSWEEP_HD constexpr i64 product_elements(const Product& p)
{
    return (p.rows + thread_rows - 1) / thread_rows * (p.columns / thread_columns);
}

/// The kernel: one tile.
BARSWEEP_HD constexpr void product_one(const Product& p, i64 i)
{
    const i64 panels = p.columns / thread_columns;
    const i64 row = i / panels * thread_rows;
    const i64 left = p.rows - row;
    product_rows<thread_rows, thread_columns>(p, row, left < thread_rows ? left : thread_rows,
                                              static_cast<i32>(i % panels) * thread_columns);
}

/// to[j][i] = from[i][j]
struct Turn {
    Rows<const float> from;  ///< [rows, columns]
    Rows<float> to;          ///< [columns, row_unit at least], 0 beyond `rows` to a multiple of it
    i32 rows;
    i32 columns;  ///< a multiple of row_unit
};

BARSWEEP_HD constexpr i64 turn_elements(const Turn& t)
{
    return i64{t.columns} * padded(t.rows);
}

/// The kernel: one number.
BARSWEEP_HD constexpr void turn_one(const Turn& t, i64 n)
{
    const i64 j = n / padded(t.rows), i = n % padded(t.rows);
    t.to[j][i] = i < t.rows ? t.from[i][j] : 0;
}

BARSWEEP_HD constexpr void turn(const Turn& t)
{
    for (i64 n = 0; n < turn_elements(t); ++n) turn_one(t, n);
}

/// What a pass multiplies with: one thread of a GPU, or a static_assert. The CPU's own are in
/// src/device/tiled.hpp.
struct MultiplyInThread {
    BARSWEEP_HD static constexpr void run(const Product& p) { product<Tile{1, 16, 1, 16}>(p); }
    BARSWEEP_HD static constexpr void run(const Turn& t) { turn(t); }
};

}  // namespace barsweep::kernels
