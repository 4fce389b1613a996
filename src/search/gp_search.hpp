#pragma once
#include <vector>

#include "base/random.hpp"
#include "search/coordinates.hpp"
#include "search/gp_model.hpp"

namespace barsweep::search {

/// log of the expected improvement below `best` of a normal of this mean and deviation, however
/// small it is (S. Ament et al., "Unexpected improvements to expected improvement", NeurIPS 2023,
/// equation 9).
double log_expected_improvement(double best, double mean, double deviation);

/// A point of the axes' own values where the model promises the most log expected improvement below
/// `best`. `incumbent`: the best point so far.
std::vector<double> most_promising(const GpModel& model, const std::vector<Axis>& axes, double best,
                                   const std::vector<double>& incumbent, RandomStream& random);

}  // namespace barsweep::search
