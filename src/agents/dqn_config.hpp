#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agents/config_text.hpp"
#include "kernels/head.hpp"
#include "kernels/observe.hpp"

namespace barsweep::agents {

enum class Loss { huber, squared };  ///< of a plain value's error; Huber with beta 1

/// Hyperparameters of double DQN (V. Mnih et al., Nature 518, 2015; H. van Hasselt et al., "Deep
/// reinforcement learning with double Q-learning", AAAI 2016), as `[agent]` names them.
struct DqnConfig {
    std::vector<std::int32_t> hidden{256, 256};  ///< widths
    kernels::Activation activation{};            ///< relu
    bool layer_norm = false;
    double learning_rate = 3e-4;  ///< Adam; beta 0.9, 0.999, eps 1e-8
    double gamma = 0.99;
    std::int64_t batch = 64;
    std::int64_t buffer = 100'000;         ///< transitions kept
    std::int64_t learning_starts = 2'000;  ///< total steps before the first update
    std::int64_t update_every = 4;         ///< total steps an update
    std::int64_t target_every = 2'000;     ///< total steps between copies to the target network
    double tau = 0;             ///< above 0 instead: target += tau * (online - target) an update
    double max_grad_norm = 10;  ///< of all gradients together; 0: no clipping
    double epsilon_start = 1.0;
    double epsilon_end = 0.05;
    double exploration_fraction = 0.5;  ///< of the last rung's steps
    bool double_q = true;
    bool dueling = false;      ///< Z. Wang et al., ICML 2016
    std::int64_t n_step = 1;   ///< steps of reward before the bootstrap, fewer at an episode's end
    bool prioritised = false;  ///< proportional, T. Schaul et al., ICLR 2016
    double priority_exponent = 0.6;    ///< their alpha
    double priority_correction = 0.4;  ///< their beta at the start, linear to 1 by the last rung
    kernels::Distribution distribution = kernels::Distribution::none;
    std::int64_t atoms = 51;    ///< of a distribution
    double value_lowest = -10;  ///< support of C51, in scaled reward
    double value_highest = 10;
    Loss loss = Loss::huber;
    bool all_actions = false;  ///< targets for every level, by Lanes::counterfactual
    Engine engine = Engine::fused;
    std::int64_t lanes = 16;
    std::int64_t episode = 2'048;  ///< decisions
    kernels::AccountView observation = kernels::AccountView::full;
};

const std::vector<ConfigKey>& dqn_keys();

/// `values`: key without section -> text. Throws UserError naming the key for what is out of range.
DqnConfig parse_dqn(const std::map<std::string, std::string>& values, const std::string& where);

/// What keys ask of each other, once all are read. Throws UserError naming both.
void check_together(const DqnConfig& config, const std::string& where);

/// Linear from start to end over exploration_fraction * last_rung total steps, then constant; a
/// pure function of the trial's total steps, so cuts and resume don't move it. Never NaN (case of a
/// fraction that rounds to no step: the end value from step 1 on).
double epsilon_at(const DqnConfig& config, std::int64_t total_steps, std::int64_t last_rung);

/// Beta of prioritised replay: linear from priority_correction to 1 at last_rung total steps.
double correction_at(const DqnConfig& config, std::int64_t total_steps, std::int64_t last_rung);

/// The network's form for `inputs` inputs and `levels` actions.
kernels::Head dqn_head(const DqnConfig& config, kernels::i32 levels);
kernels::MlpShape dqn_shape(const DqnConfig& config, kernels::i32 inputs, kernels::i32 levels);

}  // namespace barsweep::agents
