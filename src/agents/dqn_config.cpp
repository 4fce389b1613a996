#include "agents/dqn_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "base/error.hpp"
#include "kernels/mlp.hpp"

namespace barsweep::agents {
namespace {

constexpr std::int64_t most = 1'000'000'000'000;    // steps
constexpr std::int64_t most_rows = 10'000'000'000;  // transitions
constexpr std::size_t most_hidden = kernels::max_mlp_layers - 1;
constexpr std::int32_t widest = 4'096;

/// The text of one key, and where its sentences begin.
struct Text {
    const std::string& where;
    const DqnKey& key;
    const std::string& value;

    [[noreturn]] void refuse(const std::string& expected) const
    {
        throw UserError({where, fmt::format("agent.{} as {}", key.name, expected),
                         "'" + value + "'",
                         fmt::format("write for example agent.{} = {}", key.name, key.fallback)});
    }

    template <class T>
    bool reads_as(T& number) const
    {
        const auto* end = value.data() + value.size();
        const auto [rest, error] = std::from_chars(value.data(), end, number);
        return error == std::errc{} && rest == end;
    }

    std::int64_t whole(std::int64_t low, std::int64_t high) const
    {
        std::int64_t number = 0;
        if (!reads_as(number) || number < low || number > high) {
            refuse(fmt::format("a whole number from {} to {}", low, high));
        }
        return number;
    }

    double number(double low, double high) const
    {
        double x = 0;
        if (!reads_as(x) || !(x >= low && x <= high)) {
            refuse(fmt::format("a number from {} to {}", low, high));
        }
        return x;
    }

    double positive(double high) const
    {
        double x = 0;
        if (!reads_as(x) || !(x > 0 && x <= high)) {
            refuse(fmt::format("a number above 0, up to {}", high));
        }
        return x;
    }

    int word(const std::vector<std::string>& words) const
    {
        const auto found = std::find(words.begin(), words.end(), value);
        if (found == words.end()) refuse(fmt::format("one of {}", fmt::join(words, ", ")));
        return static_cast<int>(found - words.begin());
    }

    /// Widths divided by blanks or commas.
    std::vector<std::int32_t> widths() const
    {
        const auto expected =
            fmt::format("1 to {} whole numbers from 1 to {}", most_hidden, widest);
        std::string blanks = value;
        std::replace(blanks.begin(), blanks.end(), ',', ' ');
        std::vector<std::int32_t> numbers;
        std::istringstream words{blanks};
        for (std::string word; words >> word;) {
            std::int32_t width = 0;
            if (!Text{where, key, word}.reads_as(width) || width < 1 || width > widest) {
                refuse(expected);
            }
            numbers.push_back(width);
        }
        if (numbers.empty() || numbers.size() > most_hidden) refuse(expected);
        return numbers;
    }
};

void read_network(DqnConfig& config, const std::string& name, const Text& text)
{
    if (name == "hidden") config.hidden = text.widths();
    if (name == "learning_rate") config.learning_rate = text.positive(1);
    if (name == "gamma") config.gamma = text.number(0, 1);
    if (name == "max_grad_norm") config.max_grad_norm = text.number(0, 1e9);
    if (name == "target_every") config.target_every = text.whole(0, most);
    if (name == "tau") config.tau = text.number(0, 1);
    if (name == "double_q") config.double_q = text.word({"false", "true"}) == 1;
    if (name == "observation") {
        config.observation = kernels::AccountView{text.word({"full", "three", "seed"})};
    }
}

void read_schedule(DqnConfig& config, const std::string& name, const Text& text)
{
    if (name == "batch") config.batch = text.whole(1, 65'536);
    if (name == "buffer") config.buffer = text.whole(1, most_rows);
    if (name == "learning_starts") config.learning_starts = text.whole(0, most);
    if (name == "update_every") config.update_every = text.whole(1, most);
    if (name == "epsilon_start") config.epsilon_start = text.number(0, 1);
    if (name == "epsilon_end") config.epsilon_end = text.number(0, 1);
    if (name == "exploration_fraction") config.exploration_fraction = text.number(0, 1);
    if (name == "lanes") config.lanes = text.whole(1, 65'536);
    if (name == "episode") config.episode = text.whole(1, most);
}

}  // namespace

const std::vector<DqnKey>& dqn_keys()
{
    static const std::vector<DqnKey> keys{
        {"hidden", "256 256", "widths of the hidden layers, 1 to 7 of them; ReLU between"},
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
        {"lanes", "16", "accounts of a trial that live side by side"},
        {"episode", "2048", "decisions of an episode, at most the training window's"},
        {"observation", "full", "what a policy sees of its account: full, three or seed"},
    };
    return keys;
}

DqnConfig parse_dqn(const std::map<std::string, std::string>& values, const std::string& where)
{
    DqnConfig config;
    const auto& keys = dqn_keys();
    for (const auto& [name, value] : values) {
        const auto key = std::find_if(keys.begin(), keys.end(),
                                      [&](const DqnKey& known) { return known.name == name; });
        if (key == keys.end()) throw std::logic_error("parse_dqn: no key " + name);
        if (value.empty()) continue;
        const Text text{where, *key, value};
        read_network(config, name, text);
        read_schedule(config, name, text);
    }
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
