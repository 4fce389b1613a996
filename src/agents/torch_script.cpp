#include "agents/torch_script.hpp"

#include <ATen/ops/from_blob.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>

#include <sstream>

namespace barsweep::agents {
namespace {

template <class T>
at::Tensor copy_of(const T* data, at::IntArrayRef sizes)
{
    return at::from_blob(const_cast<T*>(data), sizes, c10::CppTypeToScalarType<T>::value).clone();
}

/// The module's code: scaling as bars/features.hpp has it, then the layers.
std::string code_for(int layers)
{
    std::string code =
        "def forward(self, features: Tensor, account: Tensor) -> Tensor:\n"
        "    scaled = (features.double() - self.first - self.mean) / self.deviation\n"
        "    x = torch.cat([scaled.clamp(-10., 10.).float(), account.float()], 1)\n";
    for (int l = 0; l < layers; ++l) {
        const auto affine = fmt::format("torch.matmul(x, self.weight{0}) + self.bias{0}", l);
        code += l + 1 < layers ? fmt::format("    x = torch.relu({})\n", affine)
                               : fmt::format("    return {}\n", affine);
    }
    return code;
}

}  // namespace

std::string torch_script(const sim::Policy& policy, const bars::Scaling& scaling)
{
    const auto& shape = policy.shape;
    const auto features = static_cast<kernels::i64>(scaling.mean.size());
    torch::jit::Module module{"barsweep_policy"};
    module.register_buffer("first", copy_of(scaling.first.data(), {features}));
    module.register_buffer("mean", copy_of(scaling.mean.data(), {features}));
    module.register_buffer("deviation", copy_of(scaling.deviation.data(), {features}));
    for (int l = 0; l < shape.layers; ++l) {
        const float* weights = policy.parameters.data() + kernels::weight_offset(shape, l);
        const float* bias = policy.parameters.data() + kernels::bias_offset(shape, l);
        module.register_parameter(fmt::format("weight{}", l),
                                  copy_of(weights, {shape.sizes[l], shape.sizes[l + 1]}), false);
        module.register_parameter(fmt::format("bias{}", l), copy_of(bias, {shape.sizes[l + 1]}),
                                  false);
    }
    module.define(code_for(shape.layers));
    std::ostringstream archive;
    module.save(archive);
    return std::move(archive).str();
}

}  // namespace barsweep::agents
