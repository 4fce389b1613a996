#include "search/pruner.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace barsweep::search;
using testing::HasSubstr;

namespace {

const double no_score = std::nan("");

std::vector<double> ranked(std::vector<double> scores)
{
    for (auto& score : scores) score = rank_score(score);
    return scores;
}

std::optional<std::string> cause(const PrunerOptions& options, const std::vector<double>& own,
                                 const std::vector<double>& rivals, std::int64_t step = 100)
{
    const auto ranks = ranked(own);
    return cut(options, {step, ranks, Rivals(ranked(rivals)), own.back()});
}

bool is_cut(const PrunerOptions& options, double score, const std::vector<double>& rivals,
            std::int64_t step = 100)
{
    return cause(options, {score}, rivals, step).has_value();
}

const PrunerOptions median{PrunerKind::median, 3, 2, 0};
const PrunerOptions halving{PrunerKind::halving, 3, 5, 0};

}  // namespace

TEST(Pruner, NoneCutsNothing)
{
    EXPECT_FALSE(is_cut({}, no_score, {1, 2, 3, 4, 5, 6}));
}

TEST(Pruner, CutsNothingBeforeTheWarmup)
{
    PrunerOptions options = median;
    options.warmup = 101;
    EXPECT_FALSE(is_cut(options, 0, {1, 2, 3}));
    EXPECT_TRUE(is_cut(options, 0, {1, 2, 3}, 101));
}

TEST(MedianPruner, CutsBelowTheMedianAndNotAtIt)
{
    EXPECT_TRUE(is_cut(median, 1.9, {1, 2, 3}));
    EXPECT_FALSE(is_cut(median, 2, {1, 2, 3}));
    EXPECT_TRUE(is_cut(median, 2.4, {1, 2, 3, 4}));
    EXPECT_FALSE(is_cut(median, 2.5, {1, 2, 3, 4}));
}

TEST(MedianPruner, WaitsForAsManyRivalsWithAScoreAsAsked)
{
    EXPECT_FALSE(is_cut(median, 0, {5}));
    EXPECT_FALSE(is_cut(median, 0, {no_score, 5}));
    EXPECT_TRUE(is_cut(median, 0, {no_score, 4, 5}));
}

TEST(MedianPruner, AnUndefinedScoreIsWorseThanAnyNumberAndNoWorseThanAnother)
{
    EXPECT_TRUE(is_cut(median, no_score, {-1e300, -1e300}));
    EXPECT_TRUE(is_cut(median, no_score, {no_score, -1e300, -1e300}));
    EXPECT_FALSE(is_cut(median, no_score, {no_score, no_score, no_score, 1, 2}));
}

TEST(HalvingPruner, KeepsTheBestThirdOfTheRungItselfIncluded)
{
    EXPECT_FALSE(is_cut(halving, 6, {1, 2, 3, 4, 5}));  // 2 of 6 go on: 6 and 5
    EXPECT_FALSE(is_cut(halving, 4.5, {1, 2, 3, 4, 5}));
    EXPECT_TRUE(is_cut(halving, 3.5, {1, 2, 3, 4, 5}));
    EXPECT_FALSE(is_cut(halving, 4, {1, 2, 3, 4, 5}));  // equal to the second of the best
}

TEST(HalvingPruner, TheFirstGoesOnAndLaterOnesMustBeatIt)
{
    EXPECT_FALSE(is_cut(halving, -5, {}));
    EXPECT_TRUE(is_cut(halving, -6, {-5}));
    EXPECT_FALSE(is_cut(halving, -5, {-5}));
}

TEST(HalvingPruner, AnUndefinedScoreNeverGoesOnBeforeANumber)
{
    EXPECT_TRUE(is_cut(halving, no_score, {-1e300}));
    EXPECT_FALSE(is_cut(halving, -1e300, {no_score}));
    EXPECT_FALSE(is_cut(halving, no_score, {no_score}));
    EXPECT_TRUE(is_cut(halving, INFINITY, {0}));  // not a score either
}

TEST(Pruner, TheCauseSaysStepScoreRivalsAndThreshold)
{
    EXPECT_EQ(cause(median, {0.5}, {1, 2, 3}).value(),
              "score 0.5 at step 100 is below the median 2 of 3 rivals");
    EXPECT_EQ(cause(halving, {no_score}, {1, 2, 3}).value(),
              "score undefined at step 100 isn't among the best 1 of 4, which begin at 3");
}

TEST(PercentilePruner, KeepsTheBestOfTheRivals)
{
    PrunerOptions options{PrunerKind::percentile, 3, 2, 0};
    options.percentile = 25;
    EXPECT_FALSE(is_cut(options, 4, {1, 2, 3, 4, 5}));  // the upper quartile is 4
    EXPECT_TRUE(is_cut(options, 3.9, {1, 2, 3, 4, 5}));
    EXPECT_TRUE(is_cut(options, 3.2, {1, 2, 3, 4}));  // 3.25, between 3 and 4
    EXPECT_FALSE(is_cut(options, 3.3, {1, 2, 3, 4}));
    EXPECT_FALSE(is_cut(options, 0, {5}));
    EXPECT_TRUE(is_cut(options, no_score, {1, 2}));
    EXPECT_EQ(cause(options, {1}, {1, 2, 3, 4, 5}).value(),
              "score 1 at step 100 is below the best 25 %, from 4 of 5 rivals");
}

TEST(ThresholdPruner, CutsOutsideItsBoundsAndWhatHasNoScore)
{
    PrunerOptions options{PrunerKind::threshold};
    options.lower = -1;
    options.upper = 2;
    for (const double good : {-1.0, 0.0, 2.0}) EXPECT_FALSE(is_cut(options, good, {}));
    EXPECT_EQ(cause(options, {-1.5}, {}).value(),
              "score -1.5 at step 100 is below the lower threshold -1");
    EXPECT_EQ(cause(options, {2.5}, {}).value(),
              "score 2.5 at step 100 is above the upper threshold 2");
    EXPECT_TRUE(is_cut(options, no_score, {}));
}

TEST(PatientPruner, CutsOnlyWhatGetsNoBetter)
{
    PrunerOptions alone{PrunerKind::none};
    alone.patience = 1;
    const auto cuts = [](const PrunerOptions& options, const std::vector<double>& own) {
        return cause(options, own, {10, 11, 12, 13, 14, 15}).has_value();
    };
    EXPECT_FALSE(cuts(alone, {5}));
    EXPECT_FALSE(cuts(alone, {5, 4}));
    EXPECT_TRUE(cuts(alone, {5, 4, 3}));
    EXPECT_FALSE(cuts(alone, {5, 6, 3}));
    EXPECT_FALSE(cuts(alone, {5, 3, 5}));
    EXPECT_TRUE(cuts(alone, {5, no_score, no_score}));
    EXPECT_FALSE(cuts(alone, {no_score, no_score, 1}));
    EXPECT_FALSE(cuts(alone, {no_score, no_score, no_score}));  // nor did it get worse
    alone.min_delta = 1;
    EXPECT_FALSE(cuts(alone, {5, 4.5, 4.2}));
    EXPECT_TRUE(cuts(alone, {5, 3.9, 3.8}));
    auto wrapped = median;
    wrapped.patience = 1;
    EXPECT_FALSE(cuts(wrapped, {5, 4}));
    EXPECT_TRUE(cuts(wrapped, {5, 4, 3}));
    EXPECT_FALSE(cuts(wrapped, {25, 24, 23}));
    EXPECT_EQ(
        cause(wrapped, {5, 4, 3}, {10, 11, 12}).value(),
        "score 3 at step 100 is below the median 11 of 3 rivals; no better than 5 in the last "
        "2 rungs, whose best is 4");
}
