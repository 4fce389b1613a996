#include "acrobot.hpp"
#include "agents/ppo_learner_memory.hpp"
#include "agents_dump.hpp"
#include "cartpole.hpp"
#include "test_bed.hpp"

namespace barsweep::agents {
namespace {

constexpr std::int64_t last_rung = 8'000;

enum class Task { cartpole, acrobot, bars };

struct Case {
    const char* name;
    Task task;
    PpoConfig config;
};

/// One minibatch an update, so that what memory holds after it is all of it.
PpoConfig small()
{
    PpoConfig config;
    config.hidden = {24, 17};
    config.lanes = 4;
    config.rollout = 40;
    config.batch = 160;
    config.epochs = 1;
    config.episode = 30;
    return config;
}

template <class Change>
Case with(const char* name, Task task, Change change)
{
    Case one{name, task, small()};
    change(one.config);
    return one;
}

std::vector<Case> cases()
{
    return {
        with("plain", Task::cartpole, [](PpoConfig&) {}),
        with("wide", Task::bars,
             [](PpoConfig& c) {
                 c.hidden = {256, 256};
             }),
        with("entropy_clipped_value", Task::cartpole,
             [](PpoConfig& c) {
                 c.entropy = 0.02;
                 c.clip_value = 0.01;
                 c.value_weight = 0.25;
                 c.max_grad_norm = 0;
                 c.epochs = 4;
                 c.learning_rate = 3e-3;
             }),
        with("clipped_ratio", Task::bars,
             [](PpoConfig& c) {
                 c.clip = 0.01;
                 c.epochs = 5;
                 c.learning_rate = 3e-3;
                 c.normalise_advantage = false;
                 c.anneal = false;
                 c.activation = kernels::Activation::silu;
                 c.layer_norm = true;
             }),
        with("stopped_by_kl", Task::cartpole,
             [](PpoConfig& c) {
                 c.target_kl = 1e-4;
                 c.epochs = 20;
                 c.learning_rate = 3e-3;
             }),
        with("acrobot_relu", Task::acrobot,
             [](PpoConfig& c) {
                 c.activation = kernels::Activation::relu;
                 c.gamma = 0.9;
                 c.gae_lambda = 0.5;
                 c.max_grad_norm = 0.01;
             }),
        with("by_libtorch", Task::bars, [](PpoConfig& c) { c.engine = Engine::libtorch; }),
    };
}

nlohmann::json facts_of(const PpoConfig& c, const PpoLearner& learner, const Lanes& lanes,
                        std::int64_t updates_before)
{
    return {{"actor", shape_facts(learner.shape())},
            {"critic", shape_facts(critic_shape(c, lanes.inputs()))},
            {"levels", lanes.levels},
            {"feature_count", lanes.feature_count},
            {"seen_count", lanes.seen_count},
            {"reward_scale", lanes.reward_scale},
            {"lanes", lanes.count},
            {"rollout", c.rollout},
            {"epochs", c.epochs},
            {"steps", learner.steps()},
            {"number_before", updates_before},
            {"number", learner.updates()},
            {"gamma", c.gamma},
            {"gae_lambda", c.gae_lambda},
            {"clip", c.clip},
            {"clip_value", c.clip_value},
            {"entropy", c.entropy},
            {"value_weight", c.value_weight},
            {"normalise_advantage", c.normalise_advantage},
            {"target_kl", c.target_kl},
            {"learning_rate", c.learning_rate},
            {"anneal", c.anneal},
            {"last_rung", last_rung},
            {"max_norm", c.max_grad_norm}};
}

void dump_case(const Case& one, const Lanes& lanes, const std::filesystem::path& path)
{
    PpoLearner learner{lanes, one.config, 11, last_rung};
    const auto slots = one.config.rollout * one.config.lanes;
    while (learner.steps() < 6 * slots - one.config.lanes) learner.step();
    const PpoMemory& m = learner.memory();
    const DumpFolder folder{path};
    folder.put("parameters_before", m.parameters);
    folder.put("first_before", m.first);
    folder.put("second_before", m.second);
    const auto updates = learner.updates();
    learner.step();
    folder.put("parameters", m.parameters);
    folder.put("first", m.first);
    folder.put("second", m.second);
    folder.put("gradient", m.gradient);
    folder.put("log_chance", m.log_chance);
    folder.put("values", m.values);
    folder.put("advantages", m.advantages);
    folder.put("returns", m.returns);
    folder.put("order", m.order);
    folder.put("losses", m.losses);
    folder.put("divergence", m.divergence);
    folder.put("features", lanes.features);
    put_steps(folder, {m.rollout.data, m.rollout.size});
    folder.put(facts_of(one.config, learner, lanes, updates));
}

}  // namespace

void dump_ppo(const std::filesystem::path& folder)
{
    const auto set = dump_set();
    for (const auto& one : cases()) {
        TestBed<CartPole> cartpole{one.config.lanes, 1};
        TestBed<Acrobot> acrobot{one.config.lanes, 1};
        BarLanes bars{set,
                      {dump_rules(),
                       {},
                       one.config.observation,
                       one.config.lanes,
                       one.config.episode,
                       {7, 0, 0}}};
        dump_case(one,
                  one.task == Task::cartpole  ? cartpole.lanes()
                  : one.task == Task::acrobot ? acrobot.lanes()
                                              : bars.lanes(),
                  folder / "ppo" / one.name);
    }
}

}  // namespace barsweep::agents
