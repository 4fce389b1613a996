#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <new>
#include <vector>

#include "agents/adam.hpp"
#include "agents/dqn_loss.hpp"
#include "agents/dqn_update.hpp"
#include "base/wide.hpp"

namespace barsweep::agents {

using kernels::i64;
using kernels::MlpShape;

struct UpdateBuffers::Tensors {
    MlpShape shape;
    i64 batch;
    std::vector<at::Tensor> online;  ///< per layer [2 * batch, outputs]
    std::vector<at::Tensor> target;  ///< per layer [batch, outputs]
    std::vector<at::Tensor>
        deltas;           ///< per layer [batch, outputs], loss by what the layer puts out
    at::Tensor gradient;  ///< [parameter_count]
};

namespace {

/// The number of threads that a product uses belongs to the calling thread, and other than one
/// would change bits.
void use_one_thread()
{
    thread_local const bool set = (at::set_num_threads(1), true);
    static_cast<void>(set);
}

at::Tensor matrix(const float* data, i64 rows, i64 columns)
{
    return at::from_blob(const_cast<float*>(data), {rows, columns});  // torch knows no const
}

at::Tensor weights(const MlpShape& shape, int layer, const float* parameters)
{
    const i64 inputs = shape.sizes[layer], outputs = shape.sizes[layer + 1];
    float* data = const_cast<float*>(parameters) + kernels::weight_offset(shape, layer);
    return at::from_blob(data, {inputs, outputs}, {kernels::padded(shape.sizes[layer + 1]), 1});
}

/// y += bias, then ReLU; NaN stays NaN.
BARSWEEP_WIDE void add_bias(float* y, const float* bias, i64 rows, i64 columns, bool relu)
{
    for (i64 i = 0; i < rows; ++i) {
        float* row = y + i * columns;
        for (i64 j = 0; j < columns; ++j) {
            const float x = row[j] + bias[j];
            row[j] = relu && x < 0 ? 0 : x;
        }
    }
}

/// Sums of the columns, rows ascending.
BARSWEEP_WIDE void sum_rows(const float* x, i64 rows, i64 columns, float* sums)
{
    for (i64 j = 0; j < columns; ++j) sums[j] = 0;
    for (i64 i = 0; i < rows; ++i) {
        const float* row = x + i * columns;
        for (i64 j = 0; j < columns; ++j) sums[j] += row[j];
    }
}

/// No slope where ReLU put out 0.
BARSWEEP_WIDE void mask(float* delta, const float* output, i64 size)
{
    for (i64 i = 0; i < size; ++i) delta[i] = output[i] > 0 ? delta[i] : 0;
}

/// Layer by layer into the first `rows` rows of `outputs`.
void forward(const MlpShape& shape, const float* parameters, at::Tensor x,
             const std::vector<at::Tensor>& outputs, i64 rows)
{
    for (int l = 0; l < shape.layers; ++l) {
        at::Tensor y = outputs[static_cast<std::size_t>(l)].narrow(0, 0, rows);
        at::mm_out(y, x, weights(shape, l, parameters));
        add_bias(y.mutable_data_ptr<float>(), parameters + kernels::bias_offset(shape, l), rows,
                 shape.sizes[l + 1], l + 1 < shape.layers);
        x = y;
    }
}

/// From the last layer's deltas down: gradients of all parameters.
void backward(UpdateBuffers::Tensors& t, const float* parameters, const at::Tensor& states)
{
    float* gradient = t.gradient.mutable_data_ptr<float>();
    for (int l = t.shape.layers - 1; l >= 0; --l) {
        const auto layer = static_cast<std::size_t>(l);
        const at::Tensor input = l > 0 ? t.online[layer - 1].narrow(0, 0, t.batch) : states;
        const at::Tensor& delta = t.deltas[layer];
        at::Tensor into = weights(t.shape, l, gradient);
        at::mm_out(into, input.t(), delta);
        sum_rows(delta.const_data_ptr<float>(), t.batch, t.shape.sizes[l + 1],
                 gradient + kernels::bias_offset(t.shape, l));
        if (l == 0) continue;
        at::Tensor& below = t.deltas[layer - 1];
        at::mm_out(below, delta, weights(t.shape, l, parameters).t());
        mask(below.mutable_data_ptr<float>(), input.const_data_ptr<float>(), below.numel());
    }
}

}  // namespace

UpdateBuffers::UpdateBuffers(const MlpShape& shape, std::int64_t batch)
try : tensors_{std::make_unique<Tensors>()} {
    const c10::InferenceMode no_autograd;
    auto& t = *tensors_;
    t.shape = shape;
    t.batch = batch;
    for (int l = 1; l <= shape.layers; ++l) {
        t.online.push_back(at::empty({2 * batch, shape.sizes[l]}));
        t.target.push_back(at::empty({batch, shape.sizes[l]}));
        t.deltas.push_back(at::empty({batch, shape.sizes[l]}));
    }
    t.gradient = at::zeros({kernels::parameter_count(shape)});
} catch (const c10::Error&) {  // of the allocator: nothing else can go wrong in `empty`
    throw std::bad_alloc();
}

UpdateBuffers::~UpdateBuffers() = default;
UpdateBuffers::UpdateBuffers(UpdateBuffers&&) noexcept = default;
UpdateBuffers& UpdateBuffers::operator=(UpdateBuffers&&) noexcept = default;

kernels::View<const float> UpdateBuffers::gradient() const
{
    return {tensors_->gradient.const_data_ptr<float>(), tensors_->gradient.numel()};
}

UpdateOutcome dqn_update(UpdateBuffers& buffers, const DqnRows& rows, const Minibatch& minibatch,
                         const UpdateRules& rules, std::int64_t number)
{
    use_one_thread();
    const c10::InferenceMode no_autograd;
    auto& t = buffers.tensors();
    const i64 batch = t.batch;
    const at::Tensor both = matrix(minibatch.states.data, 2 * batch, t.shape.inputs());
    const at::Tensor states = both.narrow(0, 0, batch);
    const at::Tensor next_states = both.narrow(0, batch, batch);
    forward(t.shape, rows.online.data, rules.double_q ? both : states, t.online,
            rules.double_q ? 2 * batch : batch);
    forward(t.shape, rows.target.data, next_states, t.target, batch);

    const float* values = t.online.back().const_data_ptr<float>();
    const i64 actions = t.shape.outputs();
    UpdateOutcome outcome;
    outcome.loss = dqn_loss(
        {values, values + batch * actions, t.target.back().const_data_ptr<float>(), batch, actions},
        minibatch, rules, t.deltas.back().mutable_data_ptr<float>());
    backward(t, rows.online.data, states);

    outcome.grad_norm = norm(buffers.gradient());
    const double limit = rules.max_grad_norm / (outcome.grad_norm + 1e-6);  // PyTorch's 1e-6
    const auto scale = rules.max_grad_norm > 0 && limit < 1 ? static_cast<float>(limit) : 1.0f;
    outcome.finite = adam_step({rows.online, rows.first, rows.second}, buffers.gradient(), scale,
                               rules.learning_rate, number) &&
                     std::isfinite(outcome.loss);
    return outcome;
}

}  // namespace barsweep::agents
