#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "agents/dqn_learner_memory.hpp"
#include "agents/torch_script.hpp"
#include "kernels/sum_tree.hpp"

namespace barsweep::agents {
namespace {

/// Lanes of one step: two things to see, three levels; a level brings its number, or 2 less it
/// where the other thing is seen, and the lane begins anew.
class Bandit {
public:
    Lanes lanes()
    {
        Lanes lanes;
        lanes.count = 4;
        lanes.seen_count = 2;
        lanes.levels = 3;
        lanes.observe = [this](kernels::View<float> out) {
            for (kernels::i64 l = 0; l < 4; ++l) {
                out[2 * l] = thing(l) ? 1.0f : 0.0f;
                out[2 * l + 1] = thing(l) ? 0.0f : 1.0f;
            }
        };
        lanes.step = [this](kernels::View<const kernels::i8> actions,
                            kernels::View<kernels::Transition> ring,
                            kernels::View<kernels::Account>, std::int64_t first) {
            for (kernels::i64 l = 0; l < 4; ++l) {
                auto& kept = ring[(first + l) % ring.size];
                kept = {};
                kept.action = actions[l];
                kept.terminated = kept.ended = 1;
                kept.reward = static_cast<float>(thing(l) ? actions[l] : 2 - actions[l]);
                kept.seen[thing(l) ? 0 : 1] = 1;
            }
            ++time_;
        };
        return lanes;
    }

private:
    bool thing(kernels::i64 lane) const { return (time_ + lane) % 2 == 0; }
    std::int64_t time_ = 0;
};

DqnConfig bandit_config(std::map<std::string, std::string> more)
{
    more.insert({{"hidden", "16"},
                 {"batch", "32"},
                 {"buffer", "200"},
                 {"lanes", "4"},
                 {"learning_starts", "100"},
                 {"learning_rate", "0.003"},
                 {"epsilon_end", "1"}});
    return parse_dqn(more, "test");
}

class Heads : public testing::TestWithParam<std::map<std::string, std::string>> {};

TEST_P(Heads, LearnWhatEachLevelBringsWhereItIsKnown)
{
    Bandit bandit;
    DqnLearner learner{bandit.lanes(), bandit_config(GetParam()), 5, 10'000};
    while (learner.steps() < 8'000) learner.step();
    const auto& m = learner.memory();
    const auto outputs = kernels::outputs_of(learner.shape(), m.work.data);
    double first = 0, second = 0;  // of both things, of the last minibatch's states
    for (kernels::i64 i = 0; i < 32; ++i) {
        const bool thing = m.states[2 * i] == 1;
        for (kernels::i32 level = 0; level < 3; ++level) {
            const float value = kernels::level_value(learner.head(), outputs[i], level);
            EXPECT_NEAR(value, thing ? level : 2 - level, 0.1);
        }
        (thing ? first : second) = 1;
        EXPECT_EQ(kernels::greedy_level(learner.head(), outputs[i]), thing ? 2 : 0);
    }
    EXPECT_EQ(first + second, 2);
}

using Keys = std::map<std::string, std::string>;
INSTANTIATE_TEST_SUITE_P(
    DqnUpdate, Heads,
    testing::Values(Keys{}, Keys{{"dueling", "true"}}, Keys{{"prioritised", "true"}},
                    Keys{{"loss", "squared"}, {"tau", "0.01"}},
                    Keys{{"distribution", "c51"}, {"value_lowest", "-1"}, {"value_highest", "3"}},
                    Keys{{"distribution", "quantile"}, {"atoms", "11"}, {"dueling", "true"}}));

/// The parameters after a few updates.
std::vector<float> learned(const std::string& engine)
{
    Bandit bandit;
    const auto config = bandit_config({{"engine", engine},
                                       {"layer_norm", "true"},
                                       {"dueling", "true"},
                                       {"activation", "tanh"},
                                       {"epsilon_start", "1"}});
    DqnLearner learner{bandit.lanes(), config, 5, 10'000};
    while (learner.steps() < 140) learner.step();
    const auto row = learner.parameters();
    return {row.data, row.data + row.size};
}

TEST(DqnUpdate, TheEngineLibtorchLearnsTheSameToFloatTolerance)
{
    if (!with_torch()) GTEST_SKIP() << "built without LibTorch";
    const auto fused = learned("fused"), torch = learned("libtorch");
    double most = 0;
    for (std::size_t i = 0; i < fused.size(); ++i) {
        most = std::max(most, std::abs(double{fused[i]} - double{torch[i]}));
    }
    EXPECT_LT(most, 1e-4);  // ten updates, each of at most 0.003 a parameter
    EXPECT_GT(most, 0);
}

TEST(DqnUpdate, PrioritiesAreTheErrorsOfTheLastMinibatchAndTheLargestForWhatIsNew)
{
    Bandit bandit;
    DqnLearner learner{bandit.lanes(), bandit_config({{"prioritised", "true"}}), 5, 10'000};
    while (learner.steps() < 1'000) learner.step();
    const auto& m = learner.memory();
    const kernels::View<const kernels::u64> tree{m.tree.data, m.tree.size};
    for (kernels::i64 i = 0; i < m.picks.size; ++i) {
        EXPECT_EQ(kernels::priority_at(tree, m.picks[i]),
                  kernels::whole_priority(double{m.errors[i]}, 0.6, tree.size));
    }
    learner.step();
    kernels::u64 most = 0;
    for (kernels::i64 slot = 0; slot < 200; ++slot) {
        most = std::max(most, kernels::priority_at(tree, slot));
    }
    EXPECT_LE(most, m.largest[0]);
    EXPECT_GE(m.largest[0], static_cast<kernels::u64>(kernels::priority_one));
}

TEST(DqnUpdate, ThePeriodCopiesAndPolyakGoesItsShare)
{
    Bandit first, second;
    DqnLearner period{first.lanes(), bandit_config({{"target_every", "400"}}), 5, 10'000};
    std::vector<float> before(period.parameters().data,
                              period.parameters().data + period.parameters().size);
    const auto target_is = [&](const std::vector<float>& row) {
        return std::equal(row.begin(), row.end(), period.memory().target.data);
    };
    while (period.steps() < 396) period.step();
    EXPECT_TRUE(target_is(before));
    period.step();
    EXPECT_FALSE(target_is(before));
    EXPECT_TRUE(std::equal(before.begin(), before.end(), period.memory().target.data) ==
                std::equal(before.begin(), before.end(), period.parameters().data));
    before.assign(period.parameters().data, period.parameters().data + before.size());
    EXPECT_TRUE(target_is(before));

    DqnLearner polyak{second.lanes(), bandit_config({{"tau", "0.25"}}), 5, 10'000};
    while (polyak.steps() < 200) polyak.step();
    const auto& m = polyak.memory();
    before.assign(m.target.data, m.target.data + m.target.size);
    polyak.step();  // one update
    for (kernels::i64 i = 0; i < m.target.size; ++i) {
        const float was = before[static_cast<std::size_t>(i)];
        EXPECT_EQ(m.target[i], std::fma(0.25f, m.online[i] - was, was));
    }
}

TEST(DqnUpdate, TheRarestOfAMinibatchWeighsOneAndAllOneAtTheLastRung)
{
    Bandit bandit;
    DqnLearner learner{bandit.lanes(), bandit_config({{"prioritised", "true"}}), 5, 600};
    while (learner.steps() < 800) learner.step();
    const auto& m = learner.memory();
    const auto least = *std::min_element(m.drawn.data, m.drawn.data + m.drawn.size);
    for (kernels::i64 i = 0; i < m.drawn.size; ++i) {
        EXPECT_FLOAT_EQ(m.weights[i],
                        static_cast<float>(static_cast<double>(least) /
                                           static_cast<double>(m.drawn[i])));  // beta is 1
    }
}

}  // namespace
}  // namespace barsweep::agents
