#pragma once
#include <vector>

#include "agents/episodes.hpp"
#include "agents/lanes.hpp"
#include "agents/training_set.hpp"
#include "agents/trial_key.hpp"

namespace barsweep::agents {

/// What lanes over bars depend on beside the bars.
struct BarLanesPlan {
    kernels::Rules rules;
    kernels::RewardRules reward;
    kernels::AccountView observation = kernels::AccountView::full;
    std::int64_t lanes = 0;
    std::int64_t episode = 0;  ///< decisions, at most the training window's
    TrialKey key;
};

/// The numbers of such lanes, without functions.
Lanes lane_numbers(const TrainingSet& set, const BarLanesPlan& plan);

/// A trial's lanes over the training window: accounts that live one episode after another
/// (SEMANTICS 8). Lane l begins with episode l.
class BarLanes {
public:
    BarLanes(const TrainingSet& set, const BarLanesPlan& plan);
    BarLanes(const BarLanes&) = delete;
    BarLanes& operator=(const BarLanes&) = delete;

    /// Refers to this object, which must outlive it.
    Lanes lanes();

private:
    kernels::World world();  ///< with episodes as far as any lane may go in one lock-step
    void step(kernels::View<const kernels::i8> actions, kernels::View<kernels::Transition> ring,
              kernels::View<kernels::Account> accounts, std::int64_t first_slot);
    void save(std::string& bytes) const;
    bool load(std::string_view& bytes);

    const TrainingSet& set_;
    BarLanesPlan plan_;
    Episodes episodes_;
    std::vector<kernels::Lane> lanes_;
};

}  // namespace barsweep::agents
