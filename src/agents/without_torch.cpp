// What a build without LibTorch says where it is asked for.
#include "agents/torch_script.hpp"

namespace barsweep::agents {

bool with_torch()
{
    return false;
}

std::optional<std::string> torch_script(const sim::Policy&, const bars::Scaling&)
{
    return std::nullopt;
}

}  // namespace barsweep::agents
