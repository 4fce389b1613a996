#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bars/features.hpp"
#include "bars/synthetic.hpp"

namespace barsweep::bars {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(Scaling, IsFittedOnTheDecisionRowsAlone)
{
    // Column 0: 2, 4, 6 in rows 1..3; row 0 is before the window and row 4, its last, decides
    // nothing.
    const std::vector<float> features{999, 1, 2, 1, 4, 1, 6, 1, -999, 1};
    const auto scaling = fit_scaling(features, 2, {1, 4});
    EXPECT_THAT(scaling.first, ElementsAre(2, 1));
    EXPECT_THAT(scaling.mean, ElementsAre(2, 0));  // of 0, 2, 4
    EXPECT_THAT(scaling.deviation, ElementsAre(std::sqrt(8.0 / 3), 1));
    auto scaled = features;
    apply_scaling(scaled, scaling);
    EXPECT_FLOAT_EQ(scaled[2], static_cast<float>(-2 / std::sqrt(8.0 / 3)));
    EXPECT_EQ(scaled[4], 0);
    EXPECT_EQ(scaled[0], 10);
    EXPECT_EQ(scaled[8], -10);
}

TEST(Scaling, AConstantBecomesExactlyZero)
{
    for (const float constant : {0.1F, -1e-8F, 1e30F, 3.14159F}) {
        std::vector<float> features(10'001, constant);
        const auto scaling = fit_scaling(features, 1, {0, 10'000});
        EXPECT_EQ(scaling.deviation[0], 1);
        apply_scaling(features, scaling);
        EXPECT_THAT(features, Each(0.0F));
    }
}

TEST(Scaling, ADeviationBelowAMillionthOfAMillionthCountsAsOne)
{
    const auto fitted = [](float step) {
        return fit_scaling(std::vector<float>{0, step, 0, step, 0}, 1, {0, 4}).deviation[0];
    };
    EXPECT_EQ(fitted(1e-12F), 1);
    EXPECT_NEAR(fitted(1e-11F), 5e-12, 1e-18);
}

TEST(Scaling, GivesMeanZeroAndDeviationOne)
{
    SyntheticOptions options;
    options.bars = 5'000;
    const auto features = compute_features(synthesize(options));
    const Window window{240, 4'000};
    auto scaled = features;
    apply_scaling(scaled, fit_scaling(features, feature_count, window));
    const auto rows = static_cast<double>(window.decisions());
    for (std::size_t i = 0; i < feature_count; ++i) {
        double sum = 0, squares = 0;
        bool constant = true, clipped = false;
        for (auto row = window.first; row < window.last; ++row) {
            const auto at = static_cast<std::size_t>(row) * feature_count + i;
            sum += double{scaled[at]};
            squares += double{scaled[at]} * double{scaled[at]};
            constant &= features[at] == features[240 * feature_count + i];
            clipped |= std::abs(scaled[at]) == 10;
        }
        if (clipped) continue;
        EXPECT_NEAR(sum / rows, 0, 1e-6) << feature_names[i];
        EXPECT_NEAR(squares / rows, constant ? 0 : 1, 1e-5) << feature_names[i];
    }
}

}  // namespace
}  // namespace barsweep::bars
