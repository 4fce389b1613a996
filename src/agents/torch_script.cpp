#include "agents/torch_script.hpp"

#include <ATen/ops/from_blob.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>

#include <sstream>
#include <vector>

#include "kernels/layer_norm.hpp"

namespace barsweep::agents {
namespace {

template <class T>
at::Tensor copy_of(const T* data, at::IntArrayRef sizes)
{
    return at::from_blob(const_cast<T*>(data), sizes, c10::CppTypeToScalarType<T>::value).clone();
}

/// The units of [inputs, padded outputs].
at::Tensor without_padding(const float* weights, kernels::i32 inputs, kernels::i32 outputs)
{
    return copy_of(weights, {inputs, kernels::padded(outputs)}).narrow(1, 0, outputs).contiguous();
}

const char* function_of(kernels::Activation activation)
{
    return activation == kernels::Activation::relu   ? "torch.relu"
           : activation == kernels::Activation::tanh ? "torch.tanh"
                                                     : "torch.silu";
}

std::string layer_code(const kernels::MlpShape& shape, int l)
{
    auto code = fmt::format("    x = torch.matmul(x, self.weight{0}) + self.bias{0}\n", l);
    if (l + 1 == shape.layers) return code;
    if (shape.normalised(l)) {
        code +=
            fmt::format("    x = torch.layer_norm(x, [{1}], self.gain{0}, self.shift{0}, {2})\n", l,
                        shape.sizes[l + 1], double{kernels::layer_norm_eps});
    }
    return code + fmt::format("    x = {}(x)\n", function_of(shape.activation));
}

/// Outputs become a value a level, as kernels/head.hpp has it.
std::string head_code(const kernels::Head& head)
{
    auto code = fmt::format("    x = x.reshape(-1, {}, {})\n", head.levels + (head.dueling ? 1 : 0),
                            head.atoms);
    if (head.dueling) code += "    x = x[:, :1] + x[:, 1:] - x[:, 1:].mean(1, keepdim=True)\n";
    if (head.distribution == kernels::Distribution::c51) {
        return code + "    return (torch.softmax(x, 2) * self.support).sum(2)\n";
    }
    return code + "    return x.mean(2)\n";
}

/// The module's code: scaling as bars/features.hpp has it, then the layers, then the head.
std::string code_for(const sim::Policy& policy)
{
    std::string code =
        "def forward(self, features: Tensor, account: Tensor) -> Tensor:\n"
        "    scaled = (features.double() - self.first - self.mean) / self.deviation\n"
        "    x = torch.cat([scaled.clamp(-10., 10.).float(), account.float()], 1)\n";
    for (int l = 0; l < policy.shape.layers; ++l) code += layer_code(policy.shape, l);
    return code + head_code(policy.head);
}

void register_layer(torch::jit::Module& module, const sim::Policy& policy, int l)
{
    const auto& shape = policy.shape;
    const float* p = policy.parameters.data();
    const auto units = shape.sizes[l + 1];
    const auto add = [&](const char* name, at::Tensor values) {
        module.register_parameter(fmt::format("{}{}", name, l), std::move(values), false);
    };
    add("weight", without_padding(p + kernels::weight_offset(shape, l), shape.sizes[l], units));
    add("bias", copy_of(p + kernels::bias_offset(shape, l), {units}));
    if (!shape.normalised(l)) return;
    add("gain", copy_of(p + kernels::gain_offset(shape, l), {units}));
    add("shift", copy_of(p + kernels::shift_offset(shape, l), {units}));
}

/// Values of C51's atoms.
std::vector<float> support_of(const kernels::Head& head)
{
    std::vector<float> support;
    for (kernels::i32 i = 0; i < head.atoms; ++i) {
        support.push_back(head.lowest + static_cast<float>(i) * head.gap());
    }
    return support;
}

}  // namespace

bool with_torch()
{
    return true;
}

std::optional<std::string> torch_script(const sim::Policy& policy, const bars::Scaling& scaling)
{
    const auto features = static_cast<kernels::i64>(scaling.mean.size());
    torch::jit::Module module{"barsweep_policy"};
    module.register_buffer("first", copy_of(scaling.first.data(), {features}));
    module.register_buffer("mean", copy_of(scaling.mean.data(), {features}));
    module.register_buffer("deviation", copy_of(scaling.deviation.data(), {features}));
    for (int l = 0; l < policy.shape.layers; ++l) register_layer(module, policy, l);
    if (policy.head.distribution == kernels::Distribution::c51) {
        module.register_buffer("support",
                               copy_of(support_of(policy.head).data(), {policy.head.atoms}));
    }
    module.define(code_for(policy));
    std::ostringstream archive;
    module.save(archive);
    return std::move(archive).str();
}

}  // namespace barsweep::agents
