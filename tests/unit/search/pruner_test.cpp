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
    std::ranges::sort(scores);
    return scores;
}

bool is_cut(const PrunerOptions& options, double score, std::vector<double> rivals,
            std::int64_t step = 100)
{
    return cut(options, step, score, ranked(std::move(rivals))).has_value();
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
    EXPECT_EQ(cut(median, 100, 0.5, ranked({1, 2, 3})).value(),
              "score 0.5 at step 100 is below the median 2 of 3 rivals");
    EXPECT_EQ(cut(halving, 100, no_score, ranked({1, 2, 3})).value(),
              "score undefined at step 100 isn't among the best 1 of 4, which begin at 3");
}
