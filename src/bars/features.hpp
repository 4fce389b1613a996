#pragma once
#include <array>
#include <span>
#include <vector>

#include "bars/bar_series.hpp"
#include "bars/split.hpp"

namespace barsweep::bars {

inline constexpr int feature_count = 51;

/// Names in order (FORMATS, "Feature names").
extern const std::array<const char*, feature_count> feature_names;

/// The 51 features of SEMANTICS 3 and 9, one row a bar, from bars up to that one only: another
/// future changes no row, bit for bit. [N, 51]
std::vector<float> compute_features(const BarSeries& series);

/// Mean and standard deviation a feature, fitted on decision rows of a training window alone.
struct Scaling {
    std::vector<double> first;      ///< [F] the window's first row, taken off before summing
    std::vector<double> mean;       ///< [F] of the differences
    std::vector<double> deviation;  ///< [F] population; below 1e-12 counts as 1
};

/// `features`: [N, count] as stored. Rows first..last-1 of `window`.
Scaling fit_scaling(std::span<const float> features, int count, Window window);

/// Each x becomes (x - first - mean) / deviation, clipped at 10, as float. In place: the features
/// of a year of minutes are 75 MB. [N, count]
void apply_scaling(std::span<float> features, const Scaling& scaling);

}  // namespace barsweep::bars
