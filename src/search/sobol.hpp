#pragma once
#include <cstdint>
#include <set>
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

/// Scrambled Sobol points, drawn by number whatever came before. Parameters from the hundredth on,
/// in name order, are drawn at random. In a space of at most 65,536 settings a point whose setting
/// was drawn already is passed over (64 in a row at most) until all were drawn once.
class Sobol {
public:
    Sobol(std::uint64_t seed, const Space& space);

    Params draw(std::int64_t number) const;

private:
    Params point(std::uint32_t index) const;
    std::uint32_t index_of(std::int64_t number) const;

    std::uint64_t seed_;
    std::vector<Axis> axes_;
    std::size_t settings_ = 1;                    ///< 0: more than are kept in mind
    mutable std::vector<std::uint32_t> indices_;  ///< of the points drawn, by number
    mutable std::set<Params> drawn_;              ///< settings since all were drawn last
    mutable std::uint32_t next_ = 0;
};

}  // namespace barsweep::search
