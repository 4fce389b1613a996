#include "agents/torch_network.hpp"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/tanh.h>

#include <algorithm>
#include <vector>

namespace barsweep::agents {
namespace {

using kernels::i64;
using kernels::MlpShape;

/// The number of threads that a product uses belongs to the calling thread, and other than one
/// would change bits.
void use_one_thread()
{
    thread_local const bool set = (at::set_num_threads(1), true);
    static_cast<void>(set);
}

at::Tensor matrix(const float* data, i64 stride, i64 rows, i64 columns)
{
    return at::from_blob(const_cast<float*>(data), {rows, columns}, {stride, 1});
}

at::Tensor row(const float* data, i64 columns)
{
    return at::from_blob(const_cast<float*>(data), {columns});
}

/// Of one layer, without padding, where they stand in a row of parameters or of gradients.
struct Layer {
    at::Tensor weights, bias, gain, shift;  ///< the latter two where it is normalised

    std::vector<at::Tensor*> all()
    {
        if (!gain.defined()) return {&weights, &bias};
        return {&weights, &bias, &gain, &shift};
    }
};

std::vector<Layer> layers_of(const MlpShape& shape, const float* parameters)
{
    std::vector<Layer> layers;
    for (int l = 0; l < shape.layers; ++l) {
        const i64 outputs = shape.sizes[l + 1];
        Layer layer{matrix(parameters + kernels::weight_offset(shape, l),
                           kernels::padded(shape.sizes[l + 1]), shape.sizes[l], outputs),
                    row(parameters + kernels::bias_offset(shape, l), outputs),
                    {},
                    {}};
        if (shape.normalised(l)) {
            layer.gain = row(parameters + kernels::gain_offset(shape, l), outputs);
            layer.shift = row(parameters + kernels::shift_offset(shape, l), outputs);
        }
        layers.push_back(layer);
    }
    return layers;
}

at::Tensor outputs_of(const MlpShape& shape, const std::vector<Layer>& layers, at::Tensor x)
{
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const Layer& layer = layers[l];
        x = at::addmm(layer.bias, x, layer.weights);
        if (l + 1 == layers.size()) break;
        if (layer.gain.defined()) {
            x = at::layer_norm(x, {shape.sizes[l + 1]}, layer.gain, layer.shift,
                               kernels::layer_norm_eps);
        }
        x = shape.activation == kernels::Activation::relu   ? at::relu(x)
            : shape.activation == kernels::Activation::tanh ? at::tanh(x)
                                                            : at::silu(x);
    }
    return x;
}

}  // namespace

void torch_forward(const kernels::ForwardArgs& args)
{
    use_one_thread();
    const at::NoGradGuard no_gradient;
    const MlpShape& shape = args.shape;
    const auto into =
        args.outputs.data != nullptr ? args.outputs : kernels::outputs_of(shape, args.work.data);
    const auto x = matrix(args.x.data, args.x.stride, args.rows, shape.inputs());
    matrix(into.data, into.stride, args.rows, shape.outputs())
        .copy_(outputs_of(shape, layers_of(shape, args.parameters.data), x));
}

void torch_backward(const kernels::BackwardArgs& args)
{
    use_one_thread();
    const MlpShape& shape = args.shape;
    auto layers = layers_of(shape, args.parameters.data);
    for (auto& layer : layers) {
        for (auto* tensor : layer.all()) tensor->requires_grad_(true);
    }
    const auto x = matrix(args.x.data, args.x.stride, args.rows, shape.inputs());
    outputs_of(shape, layers, x)
        .backward(
            matrix(args.delta.data, kernels::padded(shape.outputs()), args.rows, shape.outputs()));

    std::fill_n(args.gradient.data, args.gradient.size, 0.0f);
    const at::NoGradGuard no_gradient;
    auto into = layers_of(shape, args.gradient.data);
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const auto from = layers[l].all();
        const auto to = into[l].all();
        for (std::size_t i = 0; i < from.size(); ++i) to[i]->copy_(from[i]->grad());
    }
}

}  // namespace barsweep::agents
