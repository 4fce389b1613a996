#include "kernels/ppo_loss.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

// Both are held to the formulas' own figures: r = 1.5 counts as 1.2 where A > 0, and in full where
// A < 0.
static_assert(surrogate_of(1.5f, 2, 0.25f).gain == 2.5f && surrogate_of(1.5f, 2, 0.25f).slope == 0);
static_assert(surrogate_of(1.5f, -2, 0.25f).gain == -3 &&
              surrogate_of(1.5f, -2, 0.25f).slope == -3);
static_assert(surrogate_of(0.5f, -2, 0.25f).gain == -1.5f &&
              surrogate_of(0.5f, -2, 0.25f).slope == 0);
static_assert(surrogate_of(0.5f, 2, 0.25f).gain == 1 && surrogate_of(0.5f, 2, 0.25f).slope == 1);

static_assert(value_error(3, 0, 1, 0).square == 4 && value_error(3, 0, 1, 0).slope == 4);
static_assert(value_error(3, 2.5f, 1, 1).slope == 4);
// Moved by 3, held at 1: away from the target 5 the held error is the larger, and no slope is left.
static_assert(value_error(3, 0, 5, 1).square == 16 && value_error(3, 0, 5, 1).slope == 0);
static_assert(value_error(3, 0, 1, 1).square == 4 && value_error(3, 0, 1, 1).slope == 4);

/// A minibatch of three levels, the slots of a rollout in another order.
struct Batch {
    static constexpr i64 rows = 40;
    std::vector<i32> picks;
    std::vector<Transition> rollout{rows};
    std::vector<float> logits = random_floats(1, 3 * rows), values = random_floats(2, rows);
    std::vector<float> log_chance = random_floats(3, rows), old_values = random_floats(4, rows);
    std::vector<float> advantages = random_floats(5, rows), returns = random_floats(6, rows);
    std::vector<float> scaling{0.1f, 1.5f};
    std::vector<float> actor, critic, losses, divergence;
    float clip = 0.2f, clip_value = 0.3f, entropy = 0.05f, value_weight = 0.5f;

    Batch()
    {
        for (i32 i = 0; i < rows; ++i) picks.push_back(static_cast<i32>((i * 7 + 3) % rows));
        for (std::size_t i = 0; i < rows; ++i) {
            rollout[i].action = static_cast<i8>(i % 3);
            log_chance[i] = -1.1f + 0.3f * log_chance[i];
        }
    }

    void run()
    {
        actor.assign(16 * rows, 0);
        critic.assign(16 * rows, 0);
        losses.assign(rows, 0);
        divergence.assign(rows, 0);
        const Batch& in = *this;
        const PpoLossArgs args{view(in.picks),
                               view(in.rollout),
                               view(in.log_chance),
                               view(in.old_values),
                               view(in.advantages),
                               view(in.returns),
                               view(in.scaling),
                               3,
                               {logits.data(), 3},
                               {values.data(), 1},
                               clip,
                               clip_value,
                               entropy,
                               value_weight,
                               {actor.data(), 16},
                               {critic.data(), 16},
                               view(losses),
                               view(divergence)};
        for (i64 i = 0; i < rows; ++i) ppo_loss_one(args, i);
    }

    /// The loss of one row in double, from the paper's equations.
    double loss(std::size_t i, const double* z, double value) const
    {
        const auto slot = static_cast<std::size_t>(picks[i]);
        double sum = 0, mean_log = 0;
        for (int a = 0; a < 3; ++a) sum += std::exp(z[a]);
        for (int a = 0; a < 3; ++a) mean_log += std::exp(z[a]) / sum * (z[a] - std::log(sum));
        const double advantage = (advantages[slot] - double{scaling[0]}) * scaling[1];
        const double ratio = std::exp(z[rollout[slot].action] - std::log(sum) - log_chance[slot]);
        const double held = std::min(std::max(ratio, 1.0 - clip), 1.0 + clip);
        const double target = returns[slot], old = old_values[slot];
        double error = (value - target) * (value - target);
        if (clip_value > 0) {
            const double moved = std::clamp(value - old, -double{clip_value}, double{clip_value});
            error = std::max(error, (old + moved - target) * (old + moved - target));
        }
        return (value_weight * error - std::min(ratio * advantage, held * advantage) +
                entropy * mean_log) /
               rows;
    }
};

/// Slopes by differences of the loss in double, over rows inside and outside of both clips.
TEST(PpoLoss, ItsGradientIsTheSlopeOfTheLoss)
{
    Batch b;
    b.run();
    int flat = 0, steep = 0;
    for (std::size_t i = 0; i < Batch::rows; ++i) {
        double z[3] = {b.logits[3 * i], b.logits[3 * i + 1], b.logits[3 * i + 2]};
        const double value = b.values[i], h = 1e-6;
        EXPECT_NEAR(b.losses[i], b.loss(i, z, value), 1e-6);
        for (std::size_t a = 0; a < 3; ++a) {
            z[a] += h;
            const double above = b.loss(i, z, value);
            z[a] -= 2 * h;
            const double below = b.loss(i, z, value);
            z[a] += h;
            EXPECT_NEAR(b.actor[16 * i + a], (above - below) / (2 * h), 1e-6) << i << " " << a;
        }
        const double slope = (b.loss(i, z, value + h) - b.loss(i, z, value - h)) / (2 * h);
        EXPECT_NEAR(b.critic[16 * i], slope, 1e-6) << i;
        ++(b.critic[16 * i] == 0 ? flat : steep);
    }
    EXPECT_GT(flat, 3);
    EXPECT_GT(steep, 3);
}

TEST(PpoLoss, LeavesThePaddingAlone)
{
    Batch b;
    b.run();
    for (std::size_t i = 0; i < Batch::rows; ++i) {
        for (std::size_t a = 3; a < 16; ++a) EXPECT_EQ(b.actor[16 * i + a], 0);
        for (std::size_t a = 1; a < 16; ++a) EXPECT_EQ(b.critic[16 * i + a], 0);
    }
}

TEST(PpoLoss, DivergenceAndEntropyByHand)
{
    // Equal logits: entropy log 3, chance 1/3, which was 1/6: r = 2, KL's share r - 1 - log r.
    Batch b;
    b.logits.assign(3 * Batch::rows, 0.25f);
    b.log_chance.assign(Batch::rows, std::log(1.0f / 6));
    b.advantages.assign(Batch::rows, b.scaling[0]);
    b.value_weight = 0;
    b.entropy = 1;
    b.run();
    EXPECT_NEAR(b.losses[0] * Batch::rows, -std::log(3.0), 1e-6);
    EXPECT_NEAR(b.divergence[0] * Batch::rows, 2 - 1 - std::log(2.0), 1e-6);
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(b.actor[a], 0, 1e-7);
}

TEST(PpoLoss, AnUnmovedPolicyHasRatioOneAndNoDivergence)
{
    Batch b;
    for (std::size_t i = 0; i < Batch::rows; ++i) {
        const auto slot = static_cast<std::size_t>(b.picks[i]);
        float p[3];
        b.log_chance[slot] = b.logits[3 * i + static_cast<std::size_t>(b.rollout[slot].action)] -
                             probabilities_of(b.logits.data() + 3 * i, 3, p);
    }
    b.run();
    for (const float share : b.divergence) EXPECT_EQ(share, 0);
}

}  // namespace
}  // namespace barsweep::kernels
