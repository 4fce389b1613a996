#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "search/coordinates.hpp"
#include "search/gp_model.hpp"
#include "search/sobol.hpp"
#include "search/tried.hpp"

namespace barsweep::search {

struct GpOptions {
    std::uint64_t seed = 0;
    int startup = 10;        ///< trials, Sobol points, before the first fit
    std::size_t most = 300;  ///< finished trials that are modelled: a draw costs their cube
};

/// Gaussian process and log expected improvement, for studies of up to a few hundred trials. Each
/// draw fits the kernel anew and takes the point of the most log expected improvement (S. Ament et
/// al., "Unexpected improvements to expected improvement", NeurIPS 2023, section 4.1) that a search
/// finds: random points, then the best of them followed up by gradient on numbers without a step
/// and by turns over the values of the others.
/// - Losses are modelled as they are, or as log(1 + (loss - least) / (median - least)), whichever
///   makes them likelier: where they span orders of size, what is near the least counts.
/// - A pruned trial counts with its last score, but as no better than the median of complete ones.
/// - Running trials count as if they had what the model expects of them.
/// - Parameters under a condition are Sobol points.
/// - Beyond `most`, the best third and the latest of the others are modelled.
class Gp {
public:
    Gp(GpOptions options, const Space& space);

    void tell(const Tried& tried);

    /// A pure function of the options, what was told, `running` and `number`.
    Params draw(std::int64_t number, std::span<const Trial> running) const;

private:
    using Vector = std::vector<double>;
    struct Seen {
        Rank rank;
        Vector at;
    };

    std::vector<Seen> modelled() const;

    GpOptions options_;
    std::vector<Axis> axes_;  ///< those with more than one value
    Sobol sobol_;
    std::vector<Seen> seen_;  ///< in the order told
};

}  // namespace barsweep::search
