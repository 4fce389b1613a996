#pragma once
#include <initializer_list>

#include "../kernels/support.hpp"
#include "device/tiled.hpp"
#include "kernels/network_backward.hpp"

namespace barsweep::kernels {

using device::run_tiled;
using device::Vectors;
using device::widest_vectors;

constexpr MlpShape shape_of(std::initializer_list<i32> sizes,
                            Activation activation = Activation::relu, bool layer_norm = false)
{
    MlpShape shape;
    for (const i32 size : sizes) shape.sizes[shape.layers++] = size;
    --shape.layers;
    shape.activation = activation;
    shape.layer_norm = layer_norm;
    return shape;
}

/// The vectors that this processor has.
inline std::vector<Vectors> vectors_here()
{
    std::vector<Vectors> all;
    for (const auto vectors : {Vectors::of_128_bits, Vectors::of_256_bits, Vectors::of_512_bits}) {
        if (vectors <= widest_vectors()) all.push_back(vectors);
    }
    return all;
}

/// Units of -1..1 over the root of what goes in, gains near 1, padding 0.
inline std::vector<float> random_parameters(std::uint64_t seed, const MlpShape& shape)
{
    auto row = random_floats(seed, parameter_count(shape));
    for (int l = 0; l < shape.layers; ++l) {
        const i32 width = padded(shape.sizes[l + 1]);
        const float size = 1 / square_root(static_cast<float>(shape.sizes[l]));
        for (i64 i = weight_offset(shape, l); i < weight_offset(shape, l + 1); ++i) {
            float& p = row[static_cast<std::size_t>(i)];
            const i64 column = (i - weight_offset(shape, l)) % width;
            const bool gain =
                shape.normalised(l) && i >= gain_offset(shape, l) && i < shift_offset(shape, l);
            p = column >= shape.sizes[l + 1] ? 0 : gain ? 1 + p / 2 : p * size;
        }
    }
    return row;
}

inline std::vector<float> random_delta(std::uint64_t seed, const MlpShape& shape, i64 rows)
{
    const i64 width = padded(shape.outputs());
    auto delta = random_floats(seed, rows * width);
    for (i64 i = 0; i < rows * width; ++i) {
        if (i % width >= shape.outputs()) delta[static_cast<std::size_t>(i)] = 0;
    }
    return delta;
}

struct ForwardKernel {
    template <class Multiply>
    static void run(const ForwardArgs& args)
    {
        forward<Multiply>(args);
    }
};
struct BackwardKernel {
    template <class Multiply>
    static void run(const BackwardArgs& args)
    {
        backward<Multiply>(args);
    }
};

/// A forward and a backward pass, memory beforehand full of what would be noticed.
struct Passes {
    MlpShape shape;
    i64 rows;
    std::vector<float> work, gradient;
    std::vector<float> put_out;  ///< [rows, outputs]; the way back leaves them too

    Passes(const MlpShape& given, const std::vector<float>& parameters, const std::vector<float>& x,
           std::vector<float> delta, i64 count, Vectors vectors)
        : shape{given},
          rows{count},
          work(static_cast<std::size_t>(network_work(given, count)), 77),
          gradient(parameters.size(), 77)
    {
        std::vector<float> scratch(static_cast<std::size_t>(backward_scratch(shape, rows)), 77);
        const Rows<const float> in{x.data(), shape.inputs()};
        run_tiled<ForwardKernel>(ForwardArgs{shape, view(parameters), in, rows, view(work)},
                                 vectors);
        put_out = outputs();
        run_tiled<BackwardKernel>(BackwardArgs{shape, view(parameters), in, rows, view(work),
                                               view(delta), view(scratch), view(gradient)},
                                  vectors);
    }

    /// [rows, outputs]
    std::vector<float> outputs() const
    {
        std::vector<float> all;
        for (i64 r = 0; r < rows; ++r) {
            const float* row =
                work.data() + r * work_stride(shape) + kept_by(shape, shape.layers - 1).output;
            all.insert(all.end(), row, row + shape.outputs());
        }
        return all;
    }
};

}  // namespace barsweep::kernels
