// The fused engine held to LibTorch's autograd on random shapes.
#include "agents/torch_network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "agents/torch_script.hpp"
#include "base/random.hpp"
#include "device/launch.hpp"

namespace barsweep::agents {
namespace {

using kernels::i32;
using kernels::i64;
using kernels::MlpShape;

std::vector<float> random_floats(RandomStream& random, i64 count, double size)
{
    std::vector<float> row(static_cast<std::size_t>(count));
    for (auto& x : row) x = static_cast<float>((2 * random.uniform() - 1) * size);
    return row;
}

template <class T>
kernels::View<T> view(std::vector<T>& row)
{
    return {row.data(), static_cast<i64>(row.size())};
}

/// Sizes and numbers of one case, drawn.
struct Case {
    MlpShape shape;
    i64 rows;
    std::vector<float> parameters, x, delta;

    Case(RandomStream& random, i32 activation, bool layer_norm)
    {
        shape.layers = 1 + static_cast<i32>(random.below(5));
        for (int l = 0; l <= shape.layers; ++l) {
            // Few units normalised: what is exactly 0 is rounding's noise times 1 / sqrt(eps).
            const i32 fewest = layer_norm && l > 0 ? 8 : 1;
            shape.sizes[l] =
                fewest + static_cast<i32>(random.below(static_cast<std::uint64_t>(301 - fewest)));
        }
        shape.activation = kernels::Activation{activation};
        shape.layer_norm = layer_norm;
        rows = 1 + static_cast<i64>(random.below(130));
        for (int l = 0; l < shape.layers; ++l) {
            const auto size = std::sqrt(3.0 / shape.sizes[l]);
            const auto width = kernels::padded(shape.sizes[l + 1]);
            for (int k = 0; k < shape.sizes[l] + (shape.normalised(l) ? 3 : 1); ++k) {
                const auto units = random_floats(random, width, size);
                for (int j = 0; j < width; ++j) {
                    const float plus = k == shape.sizes[l] + 1 ? 1 : 0;  // gains around 1
                    parameters.push_back(
                        j < shape.sizes[l + 1] ? units[static_cast<std::size_t>(j)] + plus : 0);
                }
            }
        }
        x = random_floats(random, rows * shape.inputs(), 1.7);
        const auto width = kernels::padded(shape.outputs());
        delta = random_floats(random, rows * width, 1);
        for (i64 i = 0; i < rows * width; ++i) {
            if (i % width >= shape.outputs()) delta[static_cast<std::size_t>(i)] = 0;
        }
    }
};

struct Results {
    std::vector<float> outputs, gradient;
};

Results run(Case one, bool by_torch)
{
    std::vector<float> work(static_cast<std::size_t>(network_work(one.shape, one.rows)));
    std::vector<float> scratch(static_cast<std::size_t>(backward_scratch(one.shape, one.rows)));
    Results results;
    results.gradient.assign(one.parameters.size(), 7);
    const kernels::View<const float> parameters{one.parameters.data(),
                                                static_cast<i64>(one.parameters.size())};
    const kernels::Rows<const float> x{one.x.data(), one.shape.inputs()};
    const kernels::ForwardArgs forward{one.shape, parameters, x, one.rows, view(work)};
    by_torch ? torch_forward(forward) : device::forward(device::Backend::cpu, {&forward, 1});
    for (i64 r = 0; r < one.rows; ++r) {
        const float* row = outputs_of(one.shape, work.data())[r];
        results.outputs.insert(results.outputs.end(), row, row + one.shape.outputs());
    }
    const kernels::BackwardArgs backward{one.shape,
                                         parameters,
                                         x,
                                         one.rows,
                                         view(work),
                                         view(one.delta),
                                         view(scratch),
                                         view(results.gradient)};
    by_torch ? torch_backward(backward) : device::backward(device::Backend::cpu, {&backward, 1});
    return results;
}

/// Euclidean distance as a share of the length: of rounding, some 1e-7 a product of many layers.
double apart(const std::vector<float>& a, const std::vector<float>& b)
{
    double distance = 0, length = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        distance += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
        length += double{b[i]} * b[i];
    }
    return length == 0 ? std::sqrt(distance) : std::sqrt(distance / length);
}

class Engines : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(Engines, GiveTheSameOutputsAndGradients)
{
    if (!with_torch()) GTEST_SKIP() << "built without LibTorch";
    const auto [activation, layer_norm] = GetParam();
    RandomStream random{static_cast<std::uint64_t>(activation), Purpose::synthetic_bars};
    for (int i = 0; i < 12; ++i) {
        const Case one{random, activation, layer_norm};
        std::string sizes;
        for (int l = 0; l <= one.shape.layers; ++l) {
            sizes += ' ' + std::to_string(one.shape.sizes[l]);
        }
        SCOPED_TRACE(std::to_string(one.rows) + " rows," + sizes);
        const auto fused = run(one, false), torch = run(one, true);
        EXPECT_LT(apart(fused.outputs, torch.outputs), 3e-6);
        EXPECT_LT(apart(fused.gradient, torch.gradient), 2e-5);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Engines, testing::Combine(testing::Values(0, 1, 2), testing::Bool()));

}  // namespace
}  // namespace barsweep::agents
