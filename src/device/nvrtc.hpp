#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/kernel_sources.hpp"

namespace barsweep::device {

/// Where NVIDIA's run-time compiler was found; empty: nowhere (or this build has the GPU side off).
/// Looked for in $BARSWEEP_NVRTC, by the loader, under /usr/local/cuda*, and in PyPI's packages
/// below $BARSWEEP_VENV (default: .venv of the source tree).
std::optional<std::string> find_nvrtc();

/// Compiles `entry` for exactly one GPU ("sm_90"); its includes come from `kernel_sources()`.
/// Throws std::logic_error with the compiler's log where it does not compile, and UserError (exit
/// machine) where there is no NVRTC.
std::vector<char> compile_cubin(const SourceFile& entry, const std::string& architecture);

}  // namespace barsweep::device
