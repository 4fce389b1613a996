// What a build without LibTorch says where it is asked for.
#include "agents/torch_network.hpp"
#include "agents/torch_script.hpp"
#include "base/error.hpp"

namespace barsweep::agents {

namespace {

/// Jobs are refused before: this keeps a slip from learning nothing.
[[noreturn]] void refuse()
{
    throw UserError({"agent.engine", "fused in a program without LibTorch", "libtorch",
                     "build with -DBARSWEEP_TORCH=ON, or name engine = fused"},
                    Exit::machine);
}

}  // namespace

void torch_forward(const kernels::ForwardArgs&)
{
    refuse();
}

void torch_backward(const kernels::BackwardArgs&)
{
    refuse();
}

bool with_torch()
{
    return false;
}

std::optional<std::string> torch_script(const sim::Policy&, const bars::Scaling&)
{
    return std::nullopt;
}

}  // namespace barsweep::agents
