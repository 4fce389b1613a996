// What a build without LibTorch says where it is asked to learn.
#include "agents/dqn_update.hpp"
#include "agents/torch_script.hpp"
#include "base/error.hpp"

namespace barsweep::agents {
namespace {

[[noreturn]] void refuse()
{
    throw UserError({"this program", "LibTorch, with which agents learn", "a build without it",
                     "build with -DBARSWEEP_TORCH=ON"},
                    Exit::machine);
}

}  // namespace

struct UpdateBuffers::Tensors {};

UpdateBuffers::UpdateBuffers(const kernels::MlpShape&, std::int64_t)
{
    refuse();
}
UpdateBuffers::~UpdateBuffers() = default;
UpdateBuffers::UpdateBuffers(UpdateBuffers&&) noexcept = default;
UpdateBuffers& UpdateBuffers::operator=(UpdateBuffers&&) noexcept = default;

kernels::View<const float> UpdateBuffers::gradient() const
{
    refuse();
}

UpdateOutcome dqn_update(UpdateBuffers&, const DqnRows&, const Minibatch&, const UpdateRules&,
                         std::int64_t)
{
    refuse();
}

std::string torch_script(const sim::Policy&, const bars::Scaling&)
{
    refuse();
}

}  // namespace barsweep::agents
