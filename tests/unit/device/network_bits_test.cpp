// One text, three builds: the same bits for every activation, from numbers of any kind.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "networks.hpp"

namespace barsweep::kernels {
namespace {

/// Bits, NaN being NaN: which of two NaN an instruction hands on differs between processors.
std::vector<std::uint32_t> numbers(const std::vector<float>& row)
{
    auto all = bits(row);
    for (auto& word : all) {
        if ((word & 0x7fffffff) > 0x7f800000) word = 0x7fc00000;
    }
    return all;
}

MlpShape random_shape(RandomStream& random)
{
    MlpShape shape;
    shape.layers = 1 + static_cast<i32>(random.below(5));
    for (int l = 0; l <= shape.layers; ++l) {
        shape.sizes[l] = 1 + static_cast<i32>(random.below(random.below(2) == 0 ? 20 : 150));
    }
    shape.activation = Activation{static_cast<i32>(random.below(3))};
    shape.layer_norm = random.below(2) == 0;
    return shape;
}

/// The passes as one thread of a GPU makes them.
Passes in_thread(const MlpShape& shape, const std::vector<float>& parameters,
                 const std::vector<float>& x, std::vector<float> delta, i64 rows)
{
    Passes passes{shape, parameters, x, delta, rows, Vectors::of_128_bits};
    std::vector<float> scratch(static_cast<std::size_t>(backward_scratch(shape, rows)));
    const Rows<const float> in{x.data(), shape.inputs()};
    forward<MultiplyInThread>({shape, view(parameters), in, rows, view(passes.work)});
    passes.put_out = passes.outputs();
    backward<MultiplyInThread>({shape, view(parameters), in, rows, view(passes.work), view(delta),
                                view(scratch), view(passes.gradient)});
    return passes;
}

void expect_the_same_bits(const MlpShape& shape, const std::vector<float>& parameters,
                          const std::vector<float>& x, i64 rows)
{
    const auto delta = random_delta(3, shape, rows);
    const auto plain = in_thread(shape, parameters, x, delta, rows);
    for (const Vectors vectors : vectors_here()) {
        const Passes passes{shape, parameters, x, delta, rows, vectors};
        EXPECT_EQ(numbers(passes.put_out), numbers(plain.put_out));
        EXPECT_EQ(numbers(passes.gradient), numbers(plain.gradient));
    }
}

TEST(NetworkBits, AreTheSameOnAnyVectorsForRandomShapes)
{
    RandomStream random{11, Purpose::synthetic_bars};
    for (int i = 0; i < 60; ++i) {
        const MlpShape shape = random_shape(random);
        const i64 rows = 1 + static_cast<i64>(random.below(40));
        SCOPED_TRACE(testing::Message() << "case " << i);
        expect_the_same_bits(shape, random_parameters(i, shape),
                             random_floats(100 + i, rows * shape.inputs()), rows);
    }
}

TEST(NetworkBits, AreTheSameForSubnormalsInfinitiesAndNotANumber)
{
    constexpr float infinite = std::numeric_limits<float>::infinity();
    RandomStream random{12, Purpose::synthetic_bars};
    for (const float odd : {0x1p-140f, -0x1p-149f, 3e38f, infinite, -infinite, std::nanf("")}) {
        for (int i = 0; i < 6; ++i) {
            const MlpShape shape = random_shape(random);
            const i64 rows = 1 + static_cast<i64>(random.below(20));
            auto x = random_floats(i, rows * shape.inputs());
            auto parameters = random_parameters(i, shape);
            x[random.below(x.size())] = odd;
            for (int n = 0; n < 5; ++n) {
                float& p = parameters[random.below(parameters.size())];
                if (p != 0) p = odd;
            }
            SCOPED_TRACE(testing::Message() << odd << ", case " << i);
            expect_the_same_bits(shape, parameters, x, rows);
        }
    }
}

TEST(Network, OutputsAloneAreThoseThatAreKept)
{
    const auto shape = shape_of({9, 33, 20, 3}, Activation::silu, true);
    constexpr i64 rows = 2 * passing_rows + 5;
    const auto parameters = random_parameters(1, shape);
    const auto x = random_floats(2, rows * 9);
    const Passes whole{shape, parameters, x, random_delta(3, shape, rows), rows, widest_vectors()};
    std::vector<float> work(static_cast<std::size_t>(passing_work(shape, rows)));
    std::vector<float> outputs(static_cast<std::size_t>(rows * 16));
    run_tiled<ForwardKernel>(ForwardArgs{
        shape, view(parameters), {x.data(), 9}, rows, view(work), {outputs.data(), 16}});
    for (i64 r = 0; r < rows; ++r) {
        for (i64 j = 0; j < 3; ++j) {
            EXPECT_EQ(outputs[static_cast<std::size_t>(16 * r + j)],
                      whole.put_out[static_cast<std::size_t>(3 * r + j)]);
        }
    }
}

}  // namespace
}  // namespace barsweep::kernels
