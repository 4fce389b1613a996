#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "kernels/counterfactual.hpp"

namespace barsweep::agents {

/// What a learner acts in: `count` lanes side by side, each living one episode after another. Bars
/// in the product (bar_lanes.hpp), CartPole and Acrobot in tests. An observation is the row
/// `Transition::row` of `features`, then `seen_count` floats of the lane itself.
struct Lanes {
    std::int64_t count = 0;
    kernels::i32 feature_count = 0;
    kernels::i32 seen_count = 0;          ///< up to kernels::max_account_features
    kernels::i32 levels = 0;              ///< actions to choose from
    kernels::View<const float> features;  ///< [rows, feature_count], normalised
    double reward_scale = 1;

    kernels::i32 inputs() const { return feature_count + seen_count; }

    /// Writes [count, inputs].
    std::function<void(kernels::View<float>)> observe;

    /// One lock-step by `actions` [count]. Lane i's step goes to slot (first_slot + i) mod size of
    /// `ring`, and the account as it stood at the decision to the same slot of `accounts` where
    /// that has a size. Throws std::overflow_error naming lane, bar and values where an account
    /// can't go on.
    std::function<void(kernels::View<const kernels::i8> actions,
                       kernels::View<kernels::Transition> ring,
                       kernels::View<kernels::Account> accounts, std::int64_t first_slot)>
        step;

    /// For every level what a step from the accounts at `picks` (slots of ring and accounts) would
    /// have brought; empty where a step can't be told for actions not taken.
    std::function<void(const kernels::CounterfactualArgs&)> counterfactual;

    /// The lanes' state, to and from a checkpoint (bytes.hpp). `load` takes what `save` put off the
    /// front; false where it isn't whole.
    std::function<void(std::string&)> save;
    std::function<bool(std::string_view&)> load;
};

}  // namespace barsweep::agents
