#pragma once
#include <cstdint>

#include "search/space.hpp"

namespace barsweep::search {

/// Draws at random. Random numbers are keyed (seed, draw, parameter), so a draw depends on no other
/// draw.
class RandomDraw {
public:
    RandomDraw(std::uint64_t seed, const Space& space) : seed_(seed), space_(space) {}

    /// A value for every parameter, whatever the conditions.
    Params draw(std::int64_t number) const;

private:
    std::uint64_t seed_;
    Space space_;
};

}  // namespace barsweep::search
