#include "agents/dqn_update.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "agents/adam.hpp"
#include "agents/dqn_loss.hpp"
#include "support.hpp"

namespace barsweep::agents {
namespace {

// Two rows, two actions, worked by hand. Row 0 took action 1, row 1 took action 0 and was ruined.
struct Worked {
    std::vector<float> online{0, 2, 3, 0}, online_next{1, 0, 0, 0}, target_next{4, 8, 100, 100};
    std::vector<float> rewards{0.5f, -1}, continues{1, 0};
    std::vector<kernels::i64> actions{1, 0};
    std::vector<float> gradient = std::vector<float>(4, 9);

    double loss(bool double_q)
    {
        UpdateRules rules;
        rules.gamma = 0.5;
        rules.double_q = double_q;
        return dqn_loss({online.data(), online_next.data(), target_next.data(), 2, 2},
                        {{}, {rewards.data(), 2}, {continues.data(), 2}, {actions.data(), 2}},
                        rules, gradient.data());
    }
};

TEST(DqnLoss, DoubleQLetsTheOnlineNetworkPickTheNextAction)
{
    Worked worked;  // goals 0.5 + 0.5 * 4 = 2.5 and -1; errors -0.5 and 4
    EXPECT_DOUBLE_EQ(worked.loss(true), (0.125 + 3.5) / 2);
    EXPECT_EQ(worked.gradient, (std::vector<float>{0, -0.25f, 0.5f, 0}));
}

TEST(DqnLoss, WithoutItTheTargetNetworkPicks)
{
    Worked worked;  // goals 0.5 + 0.5 * 8 = 4.5 and -1; errors -2.5 and 4
    EXPECT_DOUBLE_EQ(worked.loss(false), (2 + 3.5) / 2);
    EXPECT_EQ(worked.gradient, (std::vector<float>{0, -0.5f, 0.5f, 0}));
}

TEST(Adam, FirstStepIsTheLearningRateAgainstTheSign)
{
    std::vector<float> p{1, 1, 1}, m(3), v(3), g{2, -0.5f, 0};
    EXPECT_TRUE(
        adam_step({{p.data(), 3}, {m.data(), 3}, {v.data(), 3}}, {g.data(), 3}, 1, 0.01, 1));
    EXPECT_NEAR(p[0], 0.99, 3e-7);
    EXPECT_NEAR(p[1], 1.01, 3e-7);
    EXPECT_EQ(p[2], 1);
    EXPECT_NEAR(m[0], 0.2, 1e-7);
    EXPECT_NEAR(v[0], 0.004, 1e-9);
}

TEST(Adam, TellsOfAParameterThatIsNotFinite)
{
    for (const float bad : {INFINITY, -INFINITY, NAN}) {
        std::vector<float> p(40, 1), m(40), v(40), g(40, 1);
        g[37] = bad;
        EXPECT_FALSE(adam_step({{p.data(), 40}, {m.data(), 40}, {v.data(), 40}}, {g.data(), 40}, 1,
                               0.01, 1));
    }
}

TEST(Blend, GoesTheShareOfTheWay)
{
    std::vector<float> target{0, 4}, online{1, 0};
    blend({target.data(), 2}, {online.data(), 2}, 0.25f);
    EXPECT_EQ(target, (std::vector<float>{0.25f, 3}));
}

TEST(Norm, IsEuclidsWhateverTheLength)
{
    for (const int size : {1, 15, 16, 17, 1'000}) {
        const std::vector<float> row(static_cast<std::size_t>(size), 2);
        EXPECT_DOUBLE_EQ(norm({row.data(), size}), 2 * std::sqrt(size));
    }
}

TEST(DqnUpdate, MemoryThatIsNotThereIsABadAlloc)
{
    if (own_allocator) GTEST_SKIP() << "a sanitizer's allocator";
    const kernels::MlpShape shape{2, {4, 1'000, 2}};
    EXPECT_THROW((UpdateBuffers{shape, std::int64_t{1} << 40}), std::bad_alloc);
}

// Slopes of the loss by finite differences: no library has a say in them.
TEST(DqnUpdate, GradientIsTheSlopeOfTheLoss)
{
    kernels::MlpShape shape{3, {4, 6, 5, 3}};
    const auto count = static_cast<std::size_t>(kernels::parameter_count(shape));
    const int batch = 7;
    std::vector<float> states(2 * batch * 4), rewards(batch), continues(batch, 1), online(count),
        target(count);
    std::vector<kernels::i64> actions(batch);
    continues[2] = 0;
    int n = 0;
    const auto fill = [&](std::vector<float>& row, double size) {
        for (auto& x : row) {
            ++n;
            x = static_cast<float>(size * std::sin(1.7 * n + 0.3 * n * n));
        }
    };
    fill(states, 1), fill(rewards, 1), fill(online, 0.7), fill(target, 0.7);
    for (int i = 0; i < batch; ++i) actions[static_cast<std::size_t>(i)] = i % 3;

    const auto size = static_cast<kernels::i64>(count);
    UpdateBuffers buffers{shape, batch};
    const auto loss_of = [&](std::vector<float> p) {
        std::vector<float> m(count), v(count);
        return dqn_update(
                   buffers,
                   {{p.data(), size}, {target.data(), size}, {m.data(), size}, {v.data(), size}},
                   {{states.data(), 2 * batch * 4},
                    {rewards.data(), batch},
                    {continues.data(), batch},
                    {actions.data(), batch}},
                   {0.9, 1e-3, 0, false}, 1)
            .loss;
    };
    loss_of(online);
    const std::vector<float> gradient(buffers.gradient().data, buffers.gradient().data + size);
    for (std::size_t i = 0; i < count; ++i) {
        auto up = online, down = online;
        up[i] += 1e-2f, down[i] -= 1e-2f;
        const double slope = (loss_of(up) - loss_of(down)) / (double{up[i]} - down[i]);
        EXPECT_NEAR(gradient[i], slope, 2e-3) << i;
    }
}

}  // namespace
}  // namespace barsweep::agents
