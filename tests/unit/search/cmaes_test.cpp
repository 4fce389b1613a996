#include "search/cmaes.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "sampler_trials.hpp"

using namespace barsweep;
using namespace barsweep::search;
using namespace barsweep::search::tests;

namespace {

Space box(int dimensions)
{
    std::vector<std::pair<std::string, std::string>> lines;
    for (int i = 0; i < dimensions; ++i)
        lines.emplace_back(std::string(1, static_cast<char>('a' + i)), "float 0 1");
    return parse_space(lines, "job.ini");
}

/// Least 0 at 0.3 on every axis; an axis's curvature is `stretch` times that of the one before.
double ellipsoid(const Params& params, double stretch)
{
    double sum = 0, factor = 1;
    for (const auto& [name, value] : params) {
        const double off = std::get<double>(value) - 0.3;
        sum += factor * off * off;
        factor *= stretch;
    }
    return sum;
}

}  // namespace

/// By hand from the tutorial's table 1, n = 10: weights log(5.5) - log(i), their squares, the
/// rates.
TEST(CmaesConstants, OfTenDimensionsAreThoseWorkedByHand)
{
    ASSERT_EQ(cmaes_population(10), 10);
    const CmaesConstants k(10, 10);
    EXPECT_NEAR(k.weights[0], 0.45627, 1e-5);
    EXPECT_NEAR(k.weights[4], 0.02551, 1e-5);
    EXPECT_NEAR(k.mu_eff, 3.1673, 1e-4);
    EXPECT_NEAR(k.c_sigma, 0.28443, 1e-5);
    EXPECT_NEAR(k.d_sigma, 1.28443, 1e-5);
    EXPECT_NEAR(k.c_c, 0.29499, 1e-5);
    EXPECT_NEAR(k.c_1, 0.015284, 1e-6);
    EXPECT_NEAR(k.c_mu, 0.023552, 1e-6);
    EXPECT_NEAR(k.chi, 3.0847, 1e-4);
    EXPECT_NEAR(std::accumulate(k.weights.begin(), k.weights.begin() + 5, 0.0), 1, 1e-12);
    EXPECT_LT(std::accumulate(k.weights.begin() + 5, k.weights.end(), 0.0), 0);
}

TEST(Cmaes, ConvergesOnAnEllipsoid)
{
    Sampler sampler({SamplerKind::cmaes, 1}, box(4));
    double least = 1;
    asked_and_told(sampler, 800, [&](Tried& tried) {
        tried.loss = ellipsoid(tried.trial.params, 10);
        least = std::min(least, tried.loss);
    });
    EXPECT_LT(least, 1e-9);
}

TEST(Cmaes, BeatsRandomOnBranin)
{
    const auto cmaes = best_on_branin(SamplerKind::cmaes, 20, 100);
    const auto random = best_on_branin(SamplerKind::random, 20, 100);
    EXPECT_LT(cmaes[10], 0.5);
    EXPECT_LT(cmaes[15], random[10]);
}

TEST(Cmaes, StartsAgainWhereNothingIsLeftToLearn)
{
    Cmaes cmaes(1, box(2));
    for (int n = 0; n < 400; ++n) {
        Tried tried;
        tried.trial = {n, cmaes.draw(n)};
        tried.loss = 1;
        cmaes.tell(tried);
    }
    EXPECT_GE(cmaes.restarts(), 1);
    EXPECT_GT(cmaes.deviation(), 0.01);
}

TEST(Cmaes, GoesOnThroughFailuresAndStaysInsideEveryDistribution)
{
    const Space space = edge_space();
    Sampler sampler({SamplerKind::cmaes, 1}, space);
    double late = 0;
    for (const auto& tried : asked_and_told(sampler, 200, misfortune)) {
        for (const auto& [name, distribution] : space.parameters)
            ASSERT_TRUE(contains(distribution, tried.trial.params.at(name)))
                << name << " of trial " << tried.trial.number;
        if (tried.trial.number >= 180) late += std::get<double>(tried.trial.params.at("a")) / 20;
    }
    EXPECT_LT(late, 0.35);  // a is the loss
}

/// The float settles at once; the integer's neighbours must stay within reach of its mean.
TEST(Cmaes, AnIntegerIsNeverLostForGood)
{
    Sampler sampler({SamplerKind::cmaes, 2},
                    parse_space({{"x", "float 0 1"}, {"k", "int 0 9"}}, "job.ini"));
    std::map<std::int64_t, int> late;
    for (const auto& tried : asked_and_told(sampler, 400, [](Tried& of) {
             const double off = std::get<double>(of.trial.params.at("x")) - 0.5;
             of.loss = off * off;
         }))
        if (tried.trial.number >= 300) ++late[std::get<std::int64_t>(tried.trial.params.at("k"))];
    EXPECT_GE(late.size(), 2u);
}

TEST(Cmaes, ADrawIsAFunctionOfWhatWasTold)
{
    Cmaes one(7, box(3)), two(7, box(3)), other(8, box(3));
    Sampler source({SamplerKind::random, 3}, box(3));
    for (const auto& tried :
         asked_and_told(source, 50, [](Tried& of) { of.loss = ellipsoid(of.trial.params, 3); })) {
        one.tell(tried);
        two.draw(tried.trial.number);
        two.tell(tried);
        other.tell(tried);
    }
    EXPECT_EQ(one.draw(50), two.draw(50));
    EXPECT_NE(one.draw(50), one.draw(51));
    EXPECT_NE(one.draw(50), other.draw(50));
}

TEST(Cmaes, ASpaceOfChoicesAloneIsDrawnAtRandom)
{
    Sampler sampler({SamplerKind::cmaes, 1}, parse_space({{"p", "choice a b"}}, "job.ini"));
    int first = 0;
    for (const auto& tried : asked_and_told(sampler, 400, [](Tried& of) { of.loss = 0; }))
        first += to_text(tried.trial.params.at("p")) == "a";
    EXPECT_NEAR(first, 200, 50);
}
