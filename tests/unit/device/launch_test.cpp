#include "device/launch.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace barsweep::device {
namespace {

/// Numbers of all signs and magnitudes near 1; no two runs of a test differ.
std::vector<float> numbers(std::size_t count)
{
    std::vector<float> row;
    std::uint32_t state = 1;
    while (row.size() < count) {
        state = state * 1'664'525 + 1'013'904'223;
        row.push_back(static_cast<float>(state >> 8) * 0x1p-23f - 1);
    }
    return row;
}

TEST(Launch, ANetworkHasTheBitsOfOneRowAfterAnother)
{
    kernels::MlpShape shape;
    shape.layers = 3;
    const kernels::i32 sizes[] = {59, 300, 77, 5};
    std::copy(std::begin(sizes), std::end(sizes), shape.sizes);
    constexpr std::size_t rows = 11;
    const Buffer<float> parameters{
        Backend::cpu,
        std::span<const float>{numbers(static_cast<std::size_t>(parameter_count(shape)))}};
    const Buffer<float> x{Backend::cpu, std::span<const float>{numbers(rows * 59)}};
    Buffer<float> scratch{Backend::cpu,
                          rows * static_cast<std::size_t>(kernels::mlp_scratch(shape))};
    Buffer<float> together{Backend::cpu, rows * 5};
    Buffer<float> apart{Backend::cpu, rows * 5};
    const auto args = [&](Buffer<float>& y) {
        return kernels::MlpArgs{shape,     parameters.read(), x.read(),
                                y.write(), scratch.write(),   kernels::i64{rows}};
    };
    mlp(Backend::cpu, args(together));
    for (std::size_t i = 0; i < rows; ++i) {
        kernels::mlp_one(args(apart), static_cast<kernels::i64>(i));
    }
    EXPECT_EQ(together.download(), apart.download());
}

}  // namespace
}  // namespace barsweep::device
