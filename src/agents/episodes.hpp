#pragma once
#include <cstdint>
#include <vector>

#include "bars/split.hpp"
#include "kernels/portable.hpp"

namespace barsweep::agents {

/// Where a trial's episodes begin (SEMANTICS 8): tiles of the training window, permuted and shifted
/// each pass by draws that are keyed by the study and not by the trial, so that all trials live the
/// same bars. The table grows as far as it is asked for.
class Episodes {
public:
    /// `bars`: decisions of an episode, cut to the window's.
    Episodes(bars::Window train, std::int64_t bars, std::uint64_t seed, std::int64_t replicate);

    std::int64_t bars() const noexcept { return bars_; }

    /// Store rows of the first decisions of episodes 0 to at least `last`; the view holds until the
    /// next call.
    kernels::View<const kernels::i64> up_to(std::int64_t last);

private:
    void add_pass();

    bars::Window train_;
    std::int64_t bars_;
    std::uint64_t seed_;
    std::uint32_t replicate_;
    std::uint32_t passes_ = 0;
    std::vector<kernels::i64> starts_;
};

}  // namespace barsweep::agents
