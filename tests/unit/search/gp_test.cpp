#include "search/gp.hpp"

#include <gmock/gmock.h>

#include "sampler_trials.hpp"
#include "search/gp_minimise.hpp"
#include "search/gp_search.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;

namespace {

using Vector = std::vector<double>;

/// Some points of a line, a plane and a choice, with values that no kernel fits wholly.
GpModel some_model()
{
    std::vector<Vector> x;
    Vector y;
    for (int n = 0; n < 12; ++n) {
        x.push_back({n * 5 % 12 / 12.0, n * 7 % 12 / 12.0, n % 3 * 1.0});
        y.push_back(std::sin(5 * x.back()[0]) + x.back()[1] - (n % 3 == 1));
    }
    return {{0, 0, 1}, x, y};
}

}  // namespace

/// Points 0 and 1 of values 1 and -1, weight 1, noise 0.1: k(r) = (1 + sqrt(5) r + 5/3 r^2)
/// exp(-sqrt(5) r), so k(1) = 0.52399; alpha = 1 / (1.1 - 0.52399) = 1.73608 and its negative.
TEST(GpModel, PosteriorOfTwoPointsIsTheOneWorkedByHand)
{
    GpModel model({0}, {{0.0}, {1.0}}, {1, -1});
    model.use({{1.0}, 1.0, 0.1 - GpModel::least_noise});
    EXPECT_NEAR(model.posterior({0.5}, false).mean, 0, 1e-12);
    EXPECT_NEAR(model.posterior({0.25}, false).mean, 1.73608 * (0.95096 - 0.67563), 1e-4);
    // 1 - k' K^-1 k with k = (0.95096, 0.67563), K^-1 = (1.1, -0.52399; -0.52399, 1.1) / 0.93543
    EXPECT_NEAR(model.posterior({0.25}, false).variance, 0.11963, 1e-3);
}

TEST(GpModel, AChoiceCountsAsNearOrFar)
{
    GpModel model({1}, {{0.0}, {2.0}}, {1, -1});
    model.use({{1.0}, 1.0, 0.0});
    EXPECT_NEAR(model.posterior({0}, false).mean, 1, 1e-4);
    EXPECT_NEAR(model.posterior({1}, false).mean, 0, 1e-12);
    EXPECT_DOUBLE_EQ(model.posterior({1}, false).variance, model.posterior({3}, false).variance);
}

TEST(GpModel, SlopesAreThoseOfDifferences)
{
    const GpModel model = some_model();
    const Vector theta{0.3, -0.4, 0.2, 0.1, -3};
    Vector slope(5), ignored(5);
    model.loss(theta, slope);
    for (std::size_t i = 0; i < theta.size(); ++i) {
        Vector up = theta, down = theta;
        up[i] += 1e-5;
        down[i] -= 1e-5;
        const double difference = (model.loss(up, ignored) - model.loss(down, ignored)) / 2e-5;
        EXPECT_NEAR(slope[i], difference, 1e-5 * (1 + std::abs(difference))) << i;
    }
    GpModel fitted = some_model();
    fitted.fit();
    const Vector at{0.37, 0.61, 1};
    const auto found = fitted.posterior(at, true);
    for (std::size_t i = 0; i < 2; ++i) {
        Vector up = at, down = at;
        up[i] += 1e-5;
        down[i] -= 1e-5;
        const auto above = fitted.posterior(up, false), below = fitted.posterior(down, false);
        EXPECT_NEAR(found.mean_slope[i], (above.mean - below.mean) / 2e-5, 1e-5);
        EXPECT_NEAR(found.variance_slope[i], (above.variance - below.variance) / 2e-5, 1e-5);
    }
}

TEST(GpModel, FitsNoWorseThanItsStartsAndBelievesInItsMean)
{
    GpModel model = some_model();
    const double loss = model.fit();
    Vector ignored(5);
    for (const double length : {0.1, 0.5, 2.0}) {
        const double w = -2 * std::log(length);
        EXPECT_LE(loss, model.loss({w, w, w, 0, -10}, ignored) + 1e-6);
    }
    const Vector at{0.9, 0.05, 2};
    const auto before = model.posterior(at, false);
    model.believe(at);
    EXPECT_NEAR(model.posterior(at, false).mean, before.mean, 1e-3);
    EXPECT_LT(model.posterior(at, false).variance, before.variance / 2);
}

TEST(LogExpectedImprovement, AgreesWithItsFormulaAndStaysFiniteInTheTail)
{
    // z = 0: deviation / sqrt(2 pi). z = -8 by parts: density(8) (1 - 8 * 0.123132...)
    EXPECT_NEAR(log_expected_improvement(0, 0, 2), std::log(2 * 0.39894228), 1e-7);
    EXPECT_NEAR(log_expected_improvement(1, 0, 1), std::log(0.24197072 + 0.84134475), 1e-7);
    EXPECT_NEAR(log_expected_improvement(0, 8.001, 1), log_expected_improvement(0, 7.999, 1), 0.02);
    EXPECT_NEAR(log_expected_improvement(0, 100, 1), -5000 - 0.918939 - 2 * std::log(100.0), 1e-3);
}

TEST(Minimise, FindsTheBottomOfRosenbrocksValley)
{
    double value = 0;
    const auto x = minimise(
        [](const Vector& at, Vector& slope) {
            const double a = 1 - at[0], b = at[1] - at[0] * at[0];
            slope[0] = -2 * a - 400 * at[0] * b;
            slope[1] = 200 * b;
            return a * a + 100 * b * b;
        },
        {-1.2, 1}, 200, 1e-6, value);
    EXPECT_NEAR(x[0], 1, 1e-3);
    EXPECT_NEAR(x[1], 1, 2e-3);
    EXPECT_LT(value, 1e-6);
}

TEST(Gp, FindsBraninsLeastInFortyTrials)
{
    const auto best = best_on_branin(SamplerKind::gp, 5, 40);
    EXPECT_LT(best[2], 0.41);
    EXPECT_LT(best[4], 0.6);
}

TEST(Gp, GoesOnThroughFailuresAndStaysInsideEveryDistribution)
{
    const Space space = edge_space();
    Sampler sampler({SamplerKind::gp, 1}, space);
    for (const auto& tried : asked_and_told(sampler, 50, misfortune))
        for (const auto& [name, distribution] : space.parameters)
            ASSERT_TRUE(contains(distribution, tried.trial.params.at(name)))
                << name << " of trial " << tried.trial.number;
}

TEST(Gp, LossesThatAreAllAlikeDoNotStopIt)
{
    Sampler sampler({SamplerKind::gp, 1}, branin_space());
    const auto tried = asked_and_told(sampler, 16, [](Tried& of) { of.loss = 3; });
    EXPECT_NE(tried[14].trial.params, tried[15].trial.params);
}

TEST(Gp, RunningTrialsKeepTheNextOneAway)
{
    Gp gp({.seed = 2}, branin_space());
    Sampler source({SamplerKind::random, 9}, branin_space());
    for (const auto& of :
         asked_and_told(source, 25, [](Tried& one) { one.loss = branin(one.trial.params); }))
        gp.tell(of);
    const Params first = gp.draw(25, {});
    const auto away = [&](const Params& params) {
        return std::abs(std::get<double>(params.at("x")) - std::get<double>(first.at("x"))) +
               std::abs(std::get<double>(params.at("y")) - std::get<double>(first.at("y")));
    };
    EXPECT_EQ(gp.draw(25, {}), first);
    EXPECT_GT(away(gp.draw(25, std::vector<Trial>{{24, first}})), 0.1);
}

TEST(Gp, ModelsTheBestAndTheLatestOfMany)
{
    Gp gp({.seed = 2, .most = 30}, branin_space());
    Sampler source({SamplerKind::random, 9}, branin_space());
    for (const auto& of :
         asked_and_told(source, 200, [](Tried& one) { one.loss = branin(one.trial.params); }))
        gp.tell(of);
    EXPECT_LT(branin(gp.draw(200, {})), 20);
}
