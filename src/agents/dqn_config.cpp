#include "agents/dqn_config.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "kernels/head.hpp"

namespace barsweep::agents {
namespace {

constexpr std::int64_t most_rows = 10'000'000'000;  // transitions

void read_network(DqnConfig& config, const std::string& name, const ConfigText& text)
{
    if (name == "hidden") config.hidden = text.widths();
    if (name == "learning_rate") config.learning_rate = text.positive(1);
    if (name == "gamma") config.gamma = text.number(0, 1);
    if (name == "max_grad_norm") config.max_grad_norm = text.number(0, 1e9);
    if (name == "target_every") config.target_every = text.whole(0, most_steps);
    if (name == "tau") config.tau = text.number(0, 1);
    if (name == "activation") {
        config.activation = kernels::Activation{text.word({"relu", "tanh", "silu"})};
    }
    if (name == "layer_norm") config.layer_norm = text.yes();
    if (name == "dueling") config.dueling = text.yes();
    if (name == "distribution") {
        config.distribution = kernels::Distribution{text.word({"none", "c51", "quantile"})};
    }
    if (name == "atoms") config.atoms = text.whole(2, kernels::max_atoms);
    if (name == "value_lowest") config.value_lowest = text.number(-1e9, 1e9);
    if (name == "value_highest") config.value_highest = text.number(-1e9, 1e9);
    if (name == "observation") {
        config.observation = kernels::AccountView{text.word({"full", "three", "seed"})};
    }
    if (name == "engine") config.engine = Engine{text.word({"fused", "libtorch"})};
}

void read_schedule(DqnConfig& config, const std::string& name, const ConfigText& text)
{
    if (name == "batch") config.batch = text.whole(1, 65'536);
    if (name == "buffer") config.buffer = text.whole(1, most_rows);
    if (name == "learning_starts") config.learning_starts = text.whole(0, most_steps);
    if (name == "update_every") config.update_every = text.whole(1, most_steps);
    if (name == "epsilon_start") config.epsilon_start = text.number(0, 1);
    if (name == "epsilon_end") config.epsilon_end = text.number(0, 1);
    if (name == "exploration_fraction") config.exploration_fraction = text.number(0, 1);
    if (name == "lanes") config.lanes = text.whole(1, 65'536);
    if (name == "episode") config.episode = text.whole(1, most_steps);
}

void read_learning(DqnConfig& config, const std::string& name, const ConfigText& text)
{
    if (name == "double_q") config.double_q = text.yes();
    if (name == "n_step") config.n_step = text.whole(1, 1'000);
    if (name == "prioritised") config.prioritised = text.yes();
    if (name == "priority_exponent") config.priority_exponent = text.number(0, 1);
    if (name == "priority_correction") config.priority_correction = text.number(0, 1);
    if (name == "loss") config.loss = Loss{text.word({"huber", "squared"})};
    if (name == "all_actions") config.all_actions = text.yes();
}

}  // namespace

const std::vector<ConfigKey>& dqn_keys()
{
    static const std::vector<ConfigKey> keys{
        {"hidden", "256 256", "widths of the hidden layers, 1 to 7 of them"},
        {"activation", "relu", "between layers: relu, tanh or silu"},
        {"layer_norm", "false", "true: hidden layers are normalised before their activation"},
        {"learning_rate", "0.0003", "of Adam, above 0, up to 1"},
        {"gamma", "0.99", "discount a bar, 0 to 1"},
        {"batch", "64", "transitions an update learns from"},
        {"buffer", "100000", "transitions kept for replay, at least as many as lanes"},
        {"learning_starts", "2000", "steps (all lanes together) before the first update"},
        {"update_every", "4", "steps (all lanes together) an update"},
        {"target_every", "2000",
         "steps (all lanes together) between copies to the target network; 0: by agent.tau"},
        {"tau", "0",
         "above 0: at each update the target network goes this share of the way to the online "
         "one, instead of agent.target_every; up to 1"},
        {"max_grad_norm", "10", "norm to which all gradients together are clipped; 0: no clipping"},
        {"epsilon_start", "1", "share of random actions at the first step, 0 to 1"},
        {"epsilon_end", "0.05", "share of random actions after exploration, 0 to 1"},
        {"exploration_fraction", "0.5",
         "share of the last rung's steps over which random actions become fewer, 0 to 1"},
        {"double_q", "true", "true: the online network picks the next action (double DQN)"},
        {"dueling", "false",
         "true: the network tells a state's value and how levels differ from it"},
        {"n_step", "1",
         "bars of reward before the target network tells the rest, 1 to 1000; fewer at an "
         "episode's end"},
        {"prioritised", "false", "true: replay draws by error, false: uniformly"},
        {"priority_exponent", "0.6",
         "of prioritised replay: error to this power is the share drawn, 0 to 1"},
        {"priority_correction", "0.4",
         "of prioritised replay: exponent of importance weights at the start, 0 to 1; linear to 1 "
         "by the last rung"},
        {"distribution", "none", "of a level's return: none (its mean alone), c51 or quantile"},
        {"atoms", "51", "of a distribution, 2 to 256"},
        {"value_lowest", "-10", "lowest return that c51 can tell, in scaled reward"},
        {"value_highest", "10", "highest return that c51 can tell, in scaled reward"},
        {"loss", "huber", "of an error where there is no distribution: huber or squared"},
        {"all_actions", "false",
         "true: learns from every level at a bar, not from the taken one alone"},
        {"engine", "fused", "fused (the same bits everywhere) or libtorch"},
        {"lanes", "16", "accounts of a trial that live side by side"},
        {"episode", "2048", "decisions of an episode, at most the training window's"},
        {"observation", "full", "what a policy sees of its account: full, three or seed"},
    };
    return keys;
}

DqnConfig parse_dqn(const std::map<std::string, std::string>& values, const std::string& where)
{
    DqnConfig config;
    read_config(dqn_keys(), values, where, [&](const std::string& name, const ConfigText& text) {
        read_network(config, name, text);
        read_schedule(config, name, text);
        read_learning(config, name, text);
    });
    return config;
}

void check_together(const DqnConfig& config, const std::string& where)
{
    if (config.buffer < config.lanes) {
        throw UserError({where,
                         fmt::format("agent.buffer of at least agent.lanes, {}", config.lanes),
                         fmt::format("{}", config.buffer), "raise agent.buffer"});
    }
    if (config.target_every == 0 && config.tau == 0) {
        throw UserError({where, "agent.target_every or agent.tau above 0", "both 0",
                         "write for example agent.target_every = 2000"});
    }
    if (config.all_actions && config.n_step > 1) {
        throw UserError({where, "agent.n_step of 1 where agent.all_actions is true",
                         fmt::format("{}", config.n_step),
                         "leave one of them out: steps of actions not taken aren't known"});
    }
    if (config.distribution == kernels::Distribution::c51 &&
        !(config.value_lowest < config.value_highest)) {
        throw UserError(
            {where, "agent.value_lowest below agent.value_highest",
             fmt::format("{} and {}", config.value_lowest, config.value_highest),
             "write for example agent.value_lowest = -10 and agent.value_highest = 10"});
    }
}

double correction_at(const DqnConfig& config, std::int64_t total_steps, std::int64_t last_rung)
{
    const double start = config.priority_correction;
    if (total_steps >= last_rung) return 1;
    return start +
           (1 - start) * (static_cast<double>(total_steps) / static_cast<double>(last_rung));
}

kernels::Head dqn_head(const DqnConfig& config, kernels::i32 levels)
{
    const bool plain = config.distribution == kernels::Distribution::none;
    return {levels,
            config.dueling,
            config.distribution,
            plain ? 1 : static_cast<kernels::i32>(config.atoms),
            static_cast<float>(config.value_lowest),
            static_cast<float>(config.value_highest)};
}

kernels::MlpShape dqn_shape(const DqnConfig& config, kernels::i32 inputs, kernels::i32 levels)
{
    kernels::MlpShape shape;
    shape.sizes[0] = inputs;
    for (const auto width : config.hidden) shape.sizes[++shape.layers] = width;
    shape.sizes[++shape.layers] = dqn_head(config, levels).outputs();
    shape.activation = config.activation;
    shape.layer_norm = config.layer_norm;
    return shape;
}

double epsilon_at(const DqnConfig& config, std::int64_t total_steps, std::int64_t last_rung)
{
    const double length = config.exploration_fraction * static_cast<double>(last_rung);
    const auto steps = static_cast<double>(total_steps);
    if (steps <= 0) return config.epsilon_start;
    if (steps >= length) return config.epsilon_end;
    return config.epsilon_start + (config.epsilon_end - config.epsilon_start) * (steps / length);
}

}  // namespace barsweep::agents
