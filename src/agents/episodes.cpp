#include "agents/episodes.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/random.hpp"

namespace barsweep::agents {

Episodes::Episodes(bars::Window train, std::int64_t bars, std::uint64_t seed,
                   std::int64_t replicate)
    : train_{train},
      bars_{std::min(bars, train.decisions())},
      seed_{seed},
      replicate_{static_cast<std::uint32_t>(replicate)}
{
    if (bars_ < 1) throw std::logic_error("Episodes: a training window without a decision");
}

kernels::View<const kernels::i64> Episodes::up_to(std::int64_t last)
{
    while (static_cast<std::int64_t>(starts_.size()) <= last) add_pass();
    return {starts_.data(), static_cast<kernels::i64>(starts_.size())};
}

void Episodes::add_pass()
{
    RandomStream draws{seed_, Purpose::episode_order, replicate_, passes_++};
    const std::int64_t tiles = train_.decisions() / bars_;
    std::vector<std::int64_t> order(static_cast<std::size_t>(tiles));
    std::iota(order.begin(), order.end(), 0);
    for (auto left = order.size(); left > 1; --left) {  // Fisher and Yates, as Knuth's 3.4.2P
        std::swap(order[left - 1], order[draws.below(left)]);
    }
    const auto slack = static_cast<std::uint64_t>(train_.decisions() - bars_ * tiles);
    const auto offset = static_cast<std::int64_t>(draws.below(slack + 1));
    for (const auto tile : order) starts_.push_back(train_.first + offset + tile * bars_);
}

}  // namespace barsweep::agents
