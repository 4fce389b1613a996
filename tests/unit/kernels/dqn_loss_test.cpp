#include "kernels/dqn_loss.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "support.hpp"

namespace barsweep::kernels {
namespace {

/// One batch of random outputs and targets.
struct Batch {
    Head head;
    bool squared = false;
    bool all = false;
    bool weighted = false;
    i64 rows = 3;
    std::vector<float> online, chooser, target, rewards, discounts, weights{0.5f, 1, 0.25f};
    std::vector<i32> actions{1, 0, 2};
    std::vector<float> delta, losses, errors;

    explicit Batch(const Head& form, bool every = false) : head{form}, all{every}
    {
        const i64 width = padded(head.outputs());
        const i64 next = rows * (all ? head.levels : 1);
        online = random_floats(1, rows * width);
        chooser = random_floats(2, next * width);
        target = random_floats(3, next * width);
        rewards = random_floats(4, next);
        discounts.assign(static_cast<std::size_t>(next), 0.9f);
        discounts[1] = 0;
        delta.resize(online.size());
        losses.resize(3), errors.resize(3);
    }

    double loss()
    {
        const i64 width = padded(head.outputs());
        DqnLossArgs args;
        args.head = head;
        args.squared = squared;
        args.online = {online.data(), width};
        args.chooser = {chooser.data(), width};
        args.target = {target.data(), width};
        args.rewards = view(std::as_const(rewards));
        args.discounts = view(std::as_const(discounts));
        if (!all) args.actions = view(std::as_const(actions));
        if (weighted) args.weights = view(std::as_const(weights));
        args.delta = {delta.data(), width};
        args.losses = view(losses);
        args.errors = view(errors);
        for (i64 i = 0; i < rows; ++i) dqn_loss_one(args, i);
        return std::accumulate(losses.begin(), losses.end(), 0.0);
    }
};

// Level 1 of 3: 2.0 against 1 + 0.9 * 3 (the target's value of level 2, which the chooser takes):
// error -1.7, loss 1.2, slope -1; squared: 1.445, slope -1.7.
TEST(DqnLoss, OneHandWorkedRowOfDoubleDqn)
{
    Batch batch{Head{3}};
    batch.rows = 1;
    batch.losses.resize(1), batch.errors.resize(1);
    std::copy_n(std::array<float, 3>{0, 2, 5}.begin(), 3, batch.online.begin());
    std::copy_n(std::array<float, 3>{0, 1, 4}.begin(), 3, batch.chooser.begin());
    std::copy_n(std::array<float, 3>{9, 9, 3}.begin(), 3, batch.target.begin());
    batch.rewards[0] = 1;
    batch.actions = {1};
    EXPECT_NEAR(batch.loss(), 1.2, 1e-6);
    EXPECT_NEAR(batch.errors[0], 1.7, 1e-6);
    EXPECT_EQ(batch.delta[0], 0);
    EXPECT_FLOAT_EQ(batch.delta[1], -1);
    batch.squared = true;
    EXPECT_NEAR(batch.loss(), 1.445, 1e-6);
    EXPECT_NEAR(batch.delta[1], -1.7, 1e-6);
}

TEST(DqnLoss, ALevelThatIsNotKnownIsLeftOut)
{
    Batch batch{Head{3}, true};
    const double all = batch.loss();
    batch.discounts[4] = -1;  // level 1 of row 1
    batch.rewards[4] = 1e9f;
    EXPECT_NE(batch.loss(), all);
    EXPECT_LT(batch.loss(), 10);
    EXPECT_EQ(batch.delta[16 + 1], 0);
    EXPECT_NE(batch.delta[16 + 2], 0);
}

// Atoms -1, 0, 1 (gap 1), all mass of the target on atom 1, reward 0.25, discount 0.5: 0.75, so a
// quarter on 0 and three quarters on 1.
TEST(C51, AHandWorkedProjection)
{
    const Head head{2, false, Distribution::c51, 3, -1, 1};
    const float p[] = {0, 0, 1};
    float m[3];
    project(head, p, 0.25f, 0.5f, m);
    EXPECT_FLOAT_EQ(m[0], 0);
    EXPECT_FLOAT_EQ(m[1], 0.25f);
    EXPECT_FLOAT_EQ(m[2], 0.75f);

    const float spread[] = {0.5f, 0.25f, 0.25f};
    project(head, spread, -5, 1, m);  // below the support: all on the lowest
    EXPECT_FLOAT_EQ(m[0], 1);
    project(head, spread, 5, 1, m);
    EXPECT_FLOAT_EQ(m[2], 1);
    project(head, spread, 0, 1, m);  // nothing moves
    EXPECT_FLOAT_EQ(m[0], 0.5f);
    EXPECT_FLOAT_EQ(m[1], 0.25f);
    project(head, spread, 0.5f, 0, m);  // ruin: the reward alone
    EXPECT_FLOAT_EQ(m[1], 0.5f);
    EXPECT_FLOAT_EQ(m[2], 0.5f);
}

TEST(C51, AProjectionKeepsMassAndMeanInsideTheSupport)
{
    const Head head{2, false, Distribution::c51, 51, -10, 10};
    std::vector<float> logits = random_floats(8, 51), p(51), m(51);
    probabilities_of(logits.data(), 51, p.data());
    project(head, p.data(), 0.7f, 0.9f, m.data());
    double mass = 0, mean = 0, before = 0;
    for (std::size_t i = 0; i < 51; ++i) {
        const double atom = -10 + 0.4 * static_cast<double>(i);
        mass += double{m[i]};
        mean += double{m[i]} * atom;
        before += double{p[i]} * atom;
    }
    EXPECT_NEAR(mass, 1, 1e-5);
    EXPECT_NEAR(mean, 0.7 + 0.9 * before, 1e-4);
}

TEST(C51, TheLossIsTheDivergenceAndItsSlopeTheDifference)
{
    const Head head{1, false, Distribution::c51, 2, 0, 1};
    const float logits[] = {std::log(0.25f), std::log(0.75f)}, goal[] = {0.5f, 0.5f};
    float slopes[2];
    const auto loss = c51_loss(head, logits, goal, slopes);
    EXPECT_NEAR(loss.loss, 0.5 * std::log(0.5 / 0.25) + 0.5 * std::log(0.5 / 0.75), 1e-6);
    EXPECT_NEAR(slopes[0], -0.25, 1e-6);
    EXPECT_NEAR(slopes[1], 0.25, 1e-6);
}

// Own quantiles 0 and 1 (tau 1/4, 3/4), the target's 0.5 and 3: u = .5, 3 and -.5, 2.
// Huber: .125, 2.5, .125, 1.5. First: (1/4)(.125 + 2.5)/2; second: (1/4 .125 + 3/4 1.5)/2.
TEST(Quantile, AHandWorkedHuberLoss)
{
    const Head head{1, false, Distribution::quantile, 2};
    const float own[] = {0, 1}, goal[] = {0.5f, 3};
    float slopes[2];
    const auto loss = quantile_loss(head, own, goal, slopes);
    EXPECT_NEAR(loss.loss, 0.25 * 2.625 / 2 + (0.25 * 0.125 + 0.75 * 1.5) / 2, 1e-6);
    EXPECT_NEAR(slopes[0], -0.25 * (0.5 + 1) / 2, 1e-6);
    EXPECT_NEAR(slopes[1], (0.25 * 0.5 - 0.75) / 2, 1e-6);
}

struct Case {
    const char* name;
    Head head;
    bool squared, all;
};

class EveryHead : public testing::TestWithParam<Case> {};

TEST_P(EveryHead, TheGradientIsTheSlopeOfTheLoss)
{
    Batch batch{GetParam().head, GetParam().all};
    batch.squared = GetParam().squared;
    batch.weighted = true;
    batch.loss();
    const auto delta = batch.delta;
    for (std::size_t i = 0; i < batch.online.size(); ++i) {
        const float x = batch.online[i];
        batch.online[i] = x + 5e-3f;
        const double up = batch.loss();
        batch.online[i] = x - 5e-3f;
        const double down = batch.loss();
        batch.online[i] = x;
        EXPECT_NEAR(delta[i], (up - down) / 1e-2, 2e-4) << i;
    }
}

TEST_P(EveryHead, ARowsLossDependsOnNoOtherRow)
{
    Batch batch{GetParam().head, GetParam().all};
    batch.loss();
    const float last = batch.losses[2];
    const std::size_t width = static_cast<std::size_t>(padded(batch.head.outputs()));
    for (std::size_t i = 0; i < 2 * width; ++i) batch.online[i] *= -3;
    batch.loss();
    EXPECT_EQ(batch.losses[2], last);
}

constexpr auto none = Distribution::none, c51 = Distribution::c51,
               quantile = Distribution::quantile;

INSTANTIATE_TEST_SUITE_P(
    DqnLoss, EveryHead,
    testing::Values(Case{"plain", {3}, false, false}, Case{"squared", {3}, true, false},
                    Case{"all_actions", {3}, false, true}, Case{"dueling", {3, true}, false, false},
                    Case{"dueling_all", {3, true}, true, true},
                    Case{"c51", {3, false, c51, 7, -2, 2}, false, false},
                    Case{"c51_dueling_all", {3, true, c51, 7, -2, 2}, false, true},
                    Case{"quantile", {3, false, quantile, 5}, false, false},
                    Case{"quantile_dueling_all", {3, true, quantile, 5}, false, true}),
    [](const auto& given) { return std::string{given.param.name}; });

}  // namespace
}  // namespace barsweep::kernels
