#pragma once
#include <string>
#include <vector>

namespace barsweep::device {

struct SourceFile {
    std::string name;  ///< as an #include spells it
    std::string text;
};

/// Every kernels/*.hpp and kernels/*.cu as it was when this program was built
/// (cmake/embed_kernels.cmake).
const std::vector<SourceFile>& kernel_sources();

}  // namespace barsweep::device
