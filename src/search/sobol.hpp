#pragma once
#include <cstdint>
#include <vector>

#include "search/coordinates.hpp"

namespace barsweep::search {

/// Coordinate `dimension` (0-based, at most sobol_dimension_limit - 1) of point `index` of the
/// Sobol sequence, in units of 2^-32, not scrambled: 0, 1/2, 1/4, 3/4 ... in dimension 0 (P.
/// Bratley, B. L. Fox, "Algorithm 659", ACM TOMS 14, 1988, without the Gray code).
std::uint32_t sobol_point(std::uint32_t index, std::uint32_t dimension);
inline constexpr std::uint32_t sobol_dimension_limit = 100;

/// Nested uniform scrambling: each bit is turned by a random bit keyed by (seed, dimension, the
/// bits above it), so that every net stays one (A. B. Owen, "Randomly permuted (t,m,s)-nets and
/// (t,s)-sequences", 1995).
std::uint32_t owen_scrambled(std::uint32_t bits, std::uint64_t seed, std::uint32_t dimension);

/// Scrambled Sobol points: trial `number` is point `number`, whatever came before. Parameters from
/// the hundredth on, in name order, are drawn at random.
class Sobol {
public:
    Sobol(std::uint64_t seed, const Space& space);

    Params draw(std::int64_t number) const;

private:
    std::uint64_t seed_;
    std::vector<Axis> axes_;
};

}  // namespace barsweep::search
