#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "search/cmaes.hpp"
#include "search/gp.hpp"
#include "search/grid.hpp"
#include "search/random_draw.hpp"
#include "search/sobol.hpp"
#include "search/tpe.hpp"

namespace barsweep::search {

enum class SamplerKind { random, grid, sobol, tpe, cmaes, gp };
const std::vector<std::string>& sampler_names();  ///< by SamplerKind

struct SamplerOptions {
    SamplerKind kind = SamplerKind::random;
    std::uint64_t seed = 0;
};

/// Draws the parameters of one trial after another and learns from those that are finished. A pure
/// function of the options, the space, what it was told in what order, and what runs. A parameter
/// whose condition doesn't hold is not in what it draws.
class Sampler {
public:
    /// Throws UserError where the space can't be sampled so: a grid of a float without a step.
    Sampler(SamplerOptions options, Space space);

    /// Draw `number`, counted from 0; empty: the grid is spent. `running`: trials that aren't
    /// finished, in number order.
    std::optional<Params> draw(std::int64_t number, std::span<const Trial> running = {});

    /// Takes what a trial came to. The same trial may be told again where it came further: it was
    /// paused, then promoted.
    void tell(const Tried& tried);

private:
    Space space_;
    std::variant<RandomDraw, Grid, Sobol, Tpe, Cmaes, Gp> kind_;
};

}  // namespace barsweep::search
