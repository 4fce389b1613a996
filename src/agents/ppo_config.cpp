#include "agents/ppo_config.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace barsweep::agents {
namespace {

void read_network(PpoConfig& config, const std::string& name, const ConfigText& text)
{
    if (name == "hidden") config.hidden = text.widths();
    if (name == "activation") {
        config.activation = kernels::Activation{text.word({"relu", "tanh", "silu"})};
    }
    if (name == "layer_norm") config.layer_norm = text.yes();
    if (name == "learning_rate") config.learning_rate = text.positive(1);
    if (name == "anneal") config.anneal = text.yes();
    if (name == "max_grad_norm") config.max_grad_norm = text.number(0, 1e9);
    if (name == "observation") {
        config.observation = kernels::AccountView{text.word({"full", "three", "seed"})};
    }
    if (name == "engine") config.engine = Engine{text.word({"fused", "libtorch"})};
}

void read_schedule(PpoConfig& config, const std::string& name, const ConfigText& text)
{
    if (name == "rollout") config.rollout = text.whole(1, 1'000'000);
    if (name == "batch") config.batch = text.whole(1, 65'536);
    if (name == "epochs") config.epochs = text.whole(1, 1'000);
    if (name == "target_kl") config.target_kl = text.number(0, 1e9);
    if (name == "lanes") config.lanes = text.whole(1, 65'536);
    if (name == "episode") config.episode = text.whole(1, most_steps);
}

void read_loss(PpoConfig& config, const std::string& name, const ConfigText& text)
{
    if (name == "gamma") config.gamma = text.number(0, 1);
    if (name == "gae_lambda") config.gae_lambda = text.number(0, 1);
    if (name == "clip") config.clip = text.positive(1);
    if (name == "clip_value") config.clip_value = text.number(0, 1e9);
    if (name == "entropy") config.entropy = text.number(0, 1e9);
    if (name == "value_weight") config.value_weight = text.number(0, 1e9);
    if (name == "normalise_advantage") config.normalise_advantage = text.yes();
}

kernels::MlpShape shape_of(const PpoConfig& config, kernels::i32 inputs, kernels::i32 outputs)
{
    kernels::MlpShape shape;
    shape.sizes[0] = inputs;
    for (const auto width : config.hidden) shape.sizes[++shape.layers] = width;
    shape.sizes[++shape.layers] = outputs;
    shape.activation = config.activation;
    shape.layer_norm = config.layer_norm;
    return shape;
}

}  // namespace

const std::vector<ConfigKey>& ppo_keys()
{
    static const std::vector<ConfigKey> keys{
        {"hidden", "256 256", "widths of the hidden layers of actor and critic, 1 to 7 of them"},
        {"activation", "tanh", "between layers: relu, tanh or silu"},
        {"layer_norm", "false", "true: hidden layers are normalised before their activation"},
        {"learning_rate", "0.0003", "of Adam, above 0, up to 1"},
        {"anneal", "true", "true: the learning rate falls linearly to 0 by the last rung"},
        {"gamma", "0.99", "discount a bar, 0 to 1"},
        {"gae_lambda", "0.95", "discount of what a value missed, on top of agent.gamma, 0 to 1"},
        {"clip", "0.2", "how far the ratio of new to old probability counts, above 0, up to 1"},
        {"clip_value", "0", "how far a value may move in an update, scaled reward; 0: no clipping"},
        {"entropy", "0", "weight of the policy's entropy in nats"},
        {"value_weight", "0.5", "weight of the critic's loss beside the actor's"},
        {"rollout", "32", "steps a lane between updates"},
        {"batch", "64", "steps of a minibatch, at most agent.lanes times agent.rollout"},
        {"epochs", "10", "passes over a rollout an update"},
        {"normalise_advantage", "true", "true: a minibatch's advantages have mean 0, deviation 1"},
        {"target_kl", "0",
         "an update ends once the policy has moved 1.5 times this, in nats; 0: never"},
        {"max_grad_norm", "0.5",
         "norm to which all gradients together are clipped; 0: no clipping"},
        {"lanes", "64", "accounts of a trial that live side by side"},
        {"episode", "2048", "decisions of an episode, at most the training window's"},
        {"observation", "full", "what a policy sees of its account: full, three or seed"},
        {"engine", "fused", "fused (the same bits everywhere) or libtorch"},
    };
    return keys;
}

PpoConfig parse_ppo(const std::map<std::string, std::string>& values, const std::string& where)
{
    PpoConfig config;
    read_config(ppo_keys(), values, where, [&](const std::string& name, const ConfigText& text) {
        read_network(config, name, text);
        read_schedule(config, name, text);
        read_loss(config, name, text);
    });
    return config;
}

void check_together(const PpoConfig& config, const std::string& where)
{
    const auto steps = config.lanes * config.rollout;
    if (config.batch <= steps) return;
    throw UserError(
        {where, fmt::format("agent.batch of at most agent.lanes times agent.rollout, {}", steps),
         fmt::format("{}", config.batch), "lower agent.batch or raise agent.rollout"});
}

double learning_rate_at(const PpoConfig& config, std::int64_t total_steps, std::int64_t last_rung)
{
    if (!config.anneal) return config.learning_rate;
    if (total_steps >= last_rung) return 0;
    const auto share = static_cast<double>(total_steps) / static_cast<double>(last_rung);
    return config.learning_rate * (1 - share);
}

kernels::Head ppo_head(kernels::i32 levels)
{
    return {.levels = levels};
}

kernels::MlpShape actor_shape(const PpoConfig& config, kernels::i32 inputs, kernels::i32 levels)
{
    return shape_of(config, inputs, levels);
}

kernels::MlpShape critic_shape(const PpoConfig& config, kernels::i32 inputs)
{
    return shape_of(config, inputs, 1);
}

}  // namespace barsweep::agents
