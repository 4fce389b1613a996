#include "search/tpe.hpp"

#include <gmock/gmock.h>

#include "sampler_trials.hpp"
#include "search/normal.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;

namespace {

std::vector<Axis> axes(const std::vector<std::pair<std::string, std::string>>& lines)
{
    return axes_of(parse_space(lines, "job.ini"));
}

double log_density(ParzenEstimator& estimator, const std::vector<double>& at)
{
    return estimator.log_densities({at})[0];
}

double phi(double z)
{
    return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}

double mass(double a, double b)
{
    return (std::erf(b / std::numbers::sqrt2) - std::erf(a / std::numbers::sqrt2)) / 2;
}

}  // namespace

TEST(NormalMass, AgreesWithTheErrorFunctionAndKeepsTheTails)
{
    for (const double a : {-3.0, -0.5, 0.0, 1.0, 4.0})
        for (const double width : {0.05, 0.3, 2.0})
            EXPECT_NEAR(std::exp(log_normal_mass(a, a + width)) / mass(a, a + width), 1, 1e-3);
    EXPECT_NEAR(log_normal_mass(20, 30), -203.917, 0.01);  // log(erfc(20 / sqrt 2) / 2)
    EXPECT_NEAR(log_normal_mass(-30, -20), -203.917, 0.01);
}

/// Two observations at 0.2 and 0.6: each has the gap 0.4 as its deviation, above 1 / (2 + 2); with
/// the prior (0.5, deviation 1) they weigh a third each.
TEST(ParzenEstimator, IsTheMixtureWorkedByHand)
{
    ParzenEstimator estimator(axes({{"p", "float 0 1"}}));
    estimator.insert(0, {0.2});
    estimator.insert(1, {0.6});
    EXPECT_DOUBLE_EQ(estimator.deviation(0, 0), 0.4);
    EXPECT_DOUBLE_EQ(estimator.deviation(1, 0), 0.4);
    const double by_hand = (phi(0.75) / 0.4 / mass(-0.5, 2) + phi(-0.25) / 0.4 / mass(-1.5, 1) +
                            phi(0.0) / mass(-0.5, 0.5)) /
                           3;
    EXPECT_NEAR(std::exp(log_density(estimator, {0.5})), by_hand, 1e-9);
}

TEST(ParzenEstimator, AKernelIsNoNarrowerThanTheMagicClip)
{
    ParzenEstimator estimator(axes({{"p", "float 0 1"}}));
    for (int n = 0; n < 4; ++n) estimator.insert(n, {0.5 + 0.001 * n});
    EXPECT_DOUBLE_EQ(estimator.deviation(2, 0), 1.0 / 6);
    for (int n = 4; n < 150; ++n) estimator.insert(n, {0.5 + 0.001 * n});
    EXPECT_DOUBLE_EQ(estimator.deviation(2, 0), 0.01);
}

/// Thirty observations: the last 25 weigh 1, those before 1/30 to 1; the prior 1.
TEST(ParzenEstimator, OldObservationsWeighLess)
{
    ParzenEstimator estimator(axes({{"p", "choice a b"}}));
    for (int n = 0; n < 30; ++n) estimator.insert(n, {n < 5 ? 0.0 : 1.0});
    const double own = (1 + 1 / 31.0) / (1 + 2 / 31.0), other = (1 / 31.0) / (1 + 2 / 31.0);
    const double old = 5 * (1 / 30.0 + 1) / 2;
    const double by_hand = (old * own + 25 * other + 0.5) / (old + 25 + 1);
    EXPECT_NEAR(std::exp(log_density(estimator, {0})), by_hand, 1e-12);
    EXPECT_NEAR(std::exp(log_density(estimator, {1})), 1 - by_hand, 1e-12);
}

TEST(ParzenEstimator, ItsDensityIntegratesToOneAndItsMassesSumToOne)
{
    ParzenEstimator numbers(axes({{"p", "log 1e-5 1e-1"}})), grid(axes({{"p", "intlog 1 40"}}));
    for (int n = 0; n < 40; ++n) {
        numbers.insert(n, {n * n % 37 / 37.0});
        grid.insert(
            n, {coordinate(axes({{"p", "intlog 1 40"}})[0], Value{std::int64_t{1} + n * n % 37})});
    }
    double integral = 0, sum = 0;
    for (int i = 0; i < 4000; ++i) integral += std::exp(log_density(numbers, {(i + 0.5) / 4000}));
    EXPECT_NEAR(integral / 4000, 1, 1e-4);
    const auto axis = axes({{"p", "intlog 1 40"}})[0];
    for (std::int64_t x = 1; x <= 40; ++x)
        sum += std::exp(log_density(grid, {coordinate(axis, Value{x})}));
    EXPECT_NEAR(sum, 1, 1e-3);
}

TEST(ParzenEstimator, DrawsFollowItsDensity)
{
    ParzenEstimator estimator(axes({{"p", "int 0 4"}, {"q", "choice a b c"}}));
    estimator.insert(0, {0.1, 2});
    estimator.insert(1, {0.9, 0});
    estimator.insert(2, {0.9, 2});
    RandomStream random(1, Purpose::tpe_candidates);
    std::map<std::vector<double>, int> found;
    for (int n = 0; n < 40'000; ++n) ++found[estimator.sample(random)];
    ASSERT_EQ(found.size(), 15u);
    for (const auto& [at, count] : found)
        EXPECT_NEAR(count, 40'000 * std::exp(log_density(estimator, at)), 5 * std::sqrt(count) + 5);
}

TEST(ParzenEstimator, HowObservationsCameAndWentChangesNoBit)
{
    const auto of = axes({{"p", "float 0 1"}, {"q", "int 0 9"}, {"r", "choice a b"}});
    const auto at = [](int n) {
        return std::vector<double>{n * 37 % 101 / 101.0, (n % 10 + 0.5) / 10, n % 2 * 1.0};
    };
    ParzenEstimator straight(of), winding(of);
    for (int n = 0; n < 240; n += 2) straight.insert(n, at(n));
    for (int n = 239; n >= 0; --n) winding.insert(n, at(n));
    for (int n = 1; n < 240; n += 2) winding.erase(n);
    for (int n = 0; n < 240; n += 6) winding.erase(n);
    for (int n = 0; n < 240; n += 6) winding.insert(n, at(n));
    for (int n = 0; n < 50; ++n)
        EXPECT_EQ(log_density(straight, at(n)), log_density(winding, at(n)));
}

TEST(Tpe, BeatsRandomOnBranin)
{
    const auto tpe = best_on_branin(SamplerKind::tpe, 20, 60);
    const auto random = best_on_branin(SamplerKind::random, 20, 60);
    EXPECT_LT(tpe[10], 0.6);
    EXPECT_LT(tpe[15], random[10]);
}

TEST(Tpe, GoesOnThroughFailuresAndStaysInsideEveryDistribution)
{
    const Space space = edge_space();
    Sampler sampler({SamplerKind::tpe, 1}, space);
    for (const auto& tried : asked_and_told(sampler, 120, misfortune))
        for (const auto& [name, distribution] : space.parameters)
            ASSERT_TRUE(contains(distribution, tried.trial.params.at(name)))
                << name << " of trial " << tried.trial.number;
    double late = 0;
    for (int n = 120; n < 140; ++n) late += std::get<double>(sampler.draw(n)->at("a")) / 20;
    EXPECT_LT(late, 0.35);  // a is the loss
}

TEST(Tpe, ADrawIsAFunctionOfWhatWasToldAndOfWhatRuns)
{
    Tpe one({.seed = 4}, branin_space()), two({.seed = 4}, branin_space());
    Sampler source({SamplerKind::random, 9}, branin_space());
    const auto tried =
        asked_and_told(source, 40, [](Tried& of) { of.loss = branin(of.trial.params); });
    for (const auto& of : tried) {
        one.tell(of);
        two.tell(of);
        if (of.trial.number % 3) two.draw(90, std::vector<Trial>{{60, of.trial.params}});
    }
    const std::vector<Trial> running{{40, tried[5].trial.params}, {41, tried[6].trial.params}};
    EXPECT_EQ(one.draw(42, running), two.draw(42, running));
    EXPECT_EQ(one.draw(42, {}), two.draw(42, {}));
    EXPECT_NE(one.draw(42, {}), one.draw(43, {}));
}

TEST(Tpe, ATrialThatCameFurtherCountsByItsLastWord)
{
    Tpe twice({.seed = 4}, branin_space()), once({.seed = 4}, branin_space());
    Sampler source({SamplerKind::random, 9}, branin_space());
    for (auto of :
         asked_and_told(source, 40, [](Tried& of) { of.loss = branin(of.trial.params); })) {
        auto paused = of;
        paused.state = TrialState::pruned;
        paused.step = 10;
        paused.loss = 0;
        twice.tell(paused);
        if (of.trial.number == 17) of.state = TrialState::fail;
        twice.tell(of);
        twice.draw(100, std::vector<Trial>{of.trial});
        once.tell(of);
    }
    EXPECT_EQ(twice.draw(40, {}), once.draw(40, {}));
}

TEST(Tpe, AParameterUnderAConditionLearnsFromTheTrialsThatHadIt)
{
    const Space space = parse_space(
        {{"kind", "choice plain deep"}, {"depth", "float 0 1 if kind = deep"}, {"x", "float 0 1"}},
        "job.ini");
    Sampler sampler({SamplerKind::tpe, 3}, space);
    double late = 0;
    int deep = 0;
    for (const auto& tried : asked_and_told(sampler, 150, [](Tried& of) {
             const auto found = of.trial.params.find("depth");
             of.loss = found == of.trial.params.end() ? 1 : std::get<double>(found->second);
         }))
        if (const auto found = tried.trial.params.find("depth");
            found != tried.trial.params.end() && tried.trial.number >= 100) {
            late += std::get<double>(found->second);
            ++deep;
        }
    EXPECT_GT(deep, 30);
    EXPECT_LT(late / deep, 0.25);
}
