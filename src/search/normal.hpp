#pragma once
#include "base/random.hpp"

namespace barsweep::search {

/// log of Phi(b) - Phi(a) of the standard normal, a < b. An interval below 0.2 deviations: the
/// density in its middle with the second-order term (within 0.1 % up to 5 deviations out); one that
/// begins further out than 8: Mills' ratio (within 2 %); so none is lost to cancellation.
double log_normal_mass(double a, double b);

/// Density and cumulated probability.
double normal_density(double z);
double normal_probability(double z);

/// A draw (G. E. P. Box, M. E. Muller, "A note on the generation of random normal deviates", 1958).
double standard_normal(RandomStream& random);

}  // namespace barsweep::search
