#pragma once
#include "kernels/network_backward.hpp"

namespace barsweep::agents {

/// The engine `libtorch`: the passes of kernels/network.hpp by LibTorch on one thread, the gradient
/// by its autograd. The same arguments, other roundings: bits may differ from one processor to
/// another. Throws std::exception where LibTorch can't go on.

/// Outputs go where the fused pass puts them; nothing else is written to work.
void torch_forward(const kernels::ForwardArgs& args);

/// Runs forward once more, so work isn't read.
void torch_backward(const kernels::BackwardArgs& args);

}  // namespace barsweep::agents
