#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agents/config_text.hpp"
#include "kernels/head.hpp"
#include "kernels/observe.hpp"

namespace barsweep::agents {

/// Hyperparameters of PPO (J. Schulman et al., "Proximal Policy Optimization Algorithms", arXiv
/// 1707.06347) over generalised advantages (arXiv 1506.02438), as `[agent]` names them. Defaults
/// are those of stable-baselines3 but for width, lanes and rollout, which are of bars.
struct PpoConfig {
    std::vector<std::int32_t> hidden{256, 256};  ///< widths, of actor and of critic
    kernels::Activation activation = kernels::Activation::tanh;
    bool layer_norm = false;
    double learning_rate = 3e-4;  ///< Adam; beta 0.9, 0.999, eps 1e-5
    bool anneal = true;           ///< rate linear to 0 by the last rung
    double gamma = 0.99;
    double gae_lambda = 0.95;
    double clip = 0.2;      ///< of the ratio of probabilities
    double clip_value = 0;  ///< how far a value may move an update; 0: as far as it will
    double entropy = 0;     ///< weight of the entropy bonus
    double value_weight = 0.5;
    std::int64_t rollout = 32;  ///< steps a lane before an update
    std::int64_t batch = 64;    ///< steps a minibatch
    std::int64_t epochs = 10;
    bool normalise_advantage = true;  ///< a minibatch: mean 0, deviation 1
    double target_kl = 0;             ///< an update ends above 1.5 times this; 0: never
    double max_grad_norm = 0.5;       ///< of all gradients together; 0: no clipping
    std::int64_t lanes = 64;
    std::int64_t episode = 2'048;  ///< decisions
    kernels::AccountView observation = kernels::AccountView::full;
    Engine engine = Engine::fused;
};

const std::vector<ConfigKey>& ppo_keys();

/// `values`: key without section -> text. Throws UserError naming the key for what is out of range.
PpoConfig parse_ppo(const std::map<std::string, std::string>& values, const std::string& where);

/// What keys ask of each other, once all are read. Throws UserError naming both.
void check_together(const PpoConfig& config, const std::string& where);

/// Rate of the minibatch steps made after `total_steps`: where annealed, linear to 0 at last_rung.
/// A pure function of the trial's total steps, so cuts and resume don't move it. The first update
/// has the whole rate (S. Huang et al., "The 37 implementation details of PPO", ICLR blog track
/// 2022, detail 4), so steps count from where its rollout began.
double learning_rate_at(const PpoConfig& config, std::int64_t total_steps, std::int64_t last_rung);

/// Actor (outputs: a logit a level) and critic (one output) for `inputs` inputs.
kernels::Head ppo_head(kernels::i32 levels);
kernels::MlpShape actor_shape(const PpoConfig& config, kernels::i32 inputs, kernels::i32 levels);
kernels::MlpShape critic_shape(const PpoConfig& config, kernels::i32 inputs);

}  // namespace barsweep::agents
