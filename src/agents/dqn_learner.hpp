#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "agents/dqn_config.hpp"
#include "agents/lanes.hpp"
#include "kernels/head.hpp"

namespace barsweep::agents {

struct DqnMemory;

/// One trial of DQN in the lanes given: networks, optimiser, replay, counters. Its bits are a
/// function of (lanes, config, key, last_rung) alone, whatever group it steps in.
class DqnLearner {
public:
    /// `key` of the trial's own streams; `last_rung`: total steps at which epsilon and the
    /// correction of priorities are measured. Throws std::bad_alloc.
    DqnLearner(Lanes lanes, const DqnConfig& config, std::uint64_t key, std::int64_t last_rung);
    ~DqnLearner();
    DqnLearner(DqnLearner&&) noexcept;
    DqnLearner& operator=(DqnLearner&&) noexcept;

    std::int64_t steps() const noexcept;  ///< total, over all lanes
    std::int64_t updates() const noexcept;

    /// Collects and learns for one lock-step of all lanes. Throws Diverged (learner.hpp), and what
    /// Lanes::step throws.
    void step();

    /// The same for each of a group, stage by stage. What goes wrong in one is kept as its
    /// `failure`, it stands still from then on, and the others don't notice.
    /// `together`: how many run a stage before the next one begins, for tests; no bit depends on
    /// it.
    static void step(std::span<DqnLearner* const> group);
    static void step(std::span<DqnLearner* const> group, std::size_t together);
    const std::exception_ptr& failure() const noexcept;

    /// The online network as it stands; the view holds as long as the learner.
    kernels::MlpShape shape() const noexcept;
    kernels::Head head() const noexcept;
    kernels::View<const float> parameters() const noexcept;

    /// Appends everything, so that going on from `load` gives the bits of a run that never stopped.
    /// `load` takes it off the front again; false where it isn't whole.
    void save(std::string& bytes) const;
    bool load(std::string_view& bytes);

    /// All that the learner works in, as the last update left it: for second opinions.
    const DqnMemory& memory() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Bytes that a learner allocates: what its constructor itself asks for. Of `lanes` only the
/// numbers are read.
std::int64_t dqn_bytes(const DqnConfig& config, const Lanes& lanes);

}  // namespace barsweep::agents
