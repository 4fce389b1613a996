#include "acrobot.hpp"
#include "agents/dqn_learner_memory.hpp"
#include "agents_dump.hpp"
#include "cartpole.hpp"
#include "test_bed.hpp"

namespace barsweep::agents {
namespace {

using kernels::Activation;
using kernels::Distribution;

constexpr std::int64_t last_rung = 2'000;
constexpr std::int64_t seen_before = 600;  ///< total steps before the update that is told

enum class Task { cartpole, acrobot, bars };

struct Case {
    const char* name;
    Task task;
    DqnConfig config;
};

/// Four lanes; an update a lock-step once 64 steps are there; a ring that lanes don't divide.
DqnConfig small()
{
    DqnConfig config;
    config.hidden = {24, 17};
    config.learning_rate = 1e-3;
    config.batch = 32;
    config.buffer = 250;
    config.learning_starts = 64;
    config.update_every = 4;
    config.target_every = 400;
    config.lanes = 4;
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
        with("double", Task::cartpole, [](DqnConfig&) {}),
        with("wide", Task::bars,
             [](DqnConfig& c) {
                 c.hidden = {256, 256}, c.batch = 64;
             }),
        with("single_squared_clipped", Task::acrobot,
             [](DqnConfig& c) {
                 c.double_q = false;
                 c.loss = Loss::squared;
                 c.max_grad_norm = 0.05;
                 c.activation = Activation::tanh;
                 c.target_every = 4;
             }),
        with("dueling", Task::bars,
             [](DqnConfig& c) {
                 c.dueling = true;
                 c.activation = Activation::silu;
                 c.layer_norm = true;
                 c.n_step = 3;
             }),
        with("n_step_polyak", Task::cartpole,
             [](DqnConfig& c) {
                 c.n_step = 5;
                 c.tau = 0.01;
                 c.max_grad_norm = 0;
             }),
        with("prioritised", Task::cartpole,
             [](DqnConfig& c) {
                 c.prioritised = true;
                 c.n_step = 3;
             }),
        with("c51", Task::cartpole,
             [](DqnConfig& c) {
                 c.distribution = Distribution::c51;
                 c.atoms = 21;
                 c.value_lowest = -1;
                 c.value_highest = 9;
                 c.dueling = true;
                 c.prioritised = true;
             }),
        with("c51_out_of_support", Task::bars,
             [](DqnConfig& c) {
                 c.distribution = Distribution::c51;
                 c.value_lowest = -0.5;
                 c.value_highest = 0.25;
             }),
        with("quantile", Task::acrobot,
             [](DqnConfig& c) {
                 c.distribution = Distribution::quantile;
                 c.atoms = 11;
                 c.layer_norm = true;
             }),
        with("all_actions", Task::bars,
             [](DqnConfig& c) {
                 c.all_actions = true;
                 c.prioritised = true;
             }),
        with("all_actions_quantile", Task::bars,
             [](DqnConfig& c) {
                 c.all_actions = true;
                 c.dueling = true;
                 c.distribution = Distribution::quantile;
                 c.atoms = 5;
             }),
        with("by_libtorch", Task::bars,
             [](DqnConfig& c) {
                 c.engine = Engine::libtorch;
                 c.activation = Activation::silu;
                 c.layer_norm = true;
             }),
    };
}

template <class T>
std::vector<std::remove_const_t<T>> copied(kernels::View<T> view)
{
    return {view.data, view.data + view.size};
}

nlohmann::json facts_of(const DqnConfig& c, const DqnLearner& learner, const Lanes& lanes)
{
    static const char* const distributions[] = {"none", "c51", "quantile"};
    return {{"shape", shape_facts(learner.shape())},
            {"batch", c.batch},
            {"levels", lanes.levels},
            {"feature_count", lanes.feature_count},
            {"seen_count", lanes.seen_count},
            {"reward_scale", lanes.reward_scale},
            {"lanes", lanes.count},
            {"buffer", c.buffer},
            {"steps", learner.steps()},
            {"number", learner.updates()},
            {"gamma", c.gamma},
            {"n_step", c.n_step},
            {"double", c.double_q},
            {"dueling", c.dueling},
            {"distribution", distributions[static_cast<int>(c.distribution)]},
            {"atoms", c.atoms},
            {"lowest", c.value_lowest},
            {"highest", c.value_highest},
            {"squared", c.loss == Loss::squared},
            {"all_actions", c.all_actions},
            {"prioritised", c.prioritised},
            {"exponent", c.priority_exponent},
            {"correction", c.priority_correction},
            {"last_rung", last_rung},
            {"learning_rate", c.learning_rate},
            {"max_norm", c.max_grad_norm},
            {"tau", c.tau},
            {"target_every", c.target_every}};
}

void dump_case(const Case& one, const Lanes& lanes, const std::filesystem::path& path)
{
    DqnLearner learner{lanes, one.config, 11, last_rung};
    while (learner.steps() < seen_before) learner.step();
    const DqnMemory& m = learner.memory();
    const DumpFolder folder{path};
    folder.put("online_before", m.online);
    folder.put("target_before", m.target);
    folder.put("first_before", m.first);
    folder.put("second_before", m.second);
    folder.put("tree_before", m.tree);
    folder.put("largest_before", m.largest);
    learner.step();
    folder.put("online", m.online);
    folder.put("target", m.target);
    folder.put("first", m.first);
    folder.put("second", m.second);
    folder.put("gradient", m.gradient);
    folder.put("tree", m.tree);
    folder.put("largest", m.largest);
    folder.put("picks", m.picks);
    folder.put("drawn", m.drawn);
    folder.put("weights", m.weights);
    folder.put("states", m.states);
    folder.put("taken", m.taken);
    folder.put("rewards", m.rewards);
    folder.put("discounts", m.discounts);
    folder.put("losses", m.losses);
    folder.put("errors", m.errors);
    folder.put("features", lanes.features);
    put_steps(folder, {m.ring.data, m.ring.size});
    folder.put(facts_of(one.config, learner, lanes));
}

}  // namespace

void dump_dqn(const std::filesystem::path& folder)
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
                  folder / "dqn" / one.name);
    }
}

}  // namespace barsweep::agents
