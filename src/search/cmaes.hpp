#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "search/coordinates.hpp"
#include "search/sobol.hpp"
#include "search/tried.hpp"

namespace barsweep::search {

/// The strategy parameters of N. Hansen, "The CMA evolution strategy: a tutorial",
/// arXiv:1604.00772, table 1 (active: the worse half has negative weights).
struct CmaesConstants {
    CmaesConstants(int dimensions, int population);

    std::vector<double> weights;  ///< one a rank; the positive ones sum to 1
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi;
};

/// 4 + floor(3 ln n).
int cmaes_population(int dimensions);

/// Covariance matrix adaptation on the numbers of a space, each in [0, 1]; it starts in the middle
/// with deviation 1/8. Choices, parameters of one value and those under a condition take no part:
/// they are drawn at random.
/// - A generation is `population` trials in the order they were told, whoever drew them: a trial of
///   an older one, of another sampler or from a file counts too, its step cut to a length that the
///   distribution makes likely (N. Hansen, "Injecting external solutions into CMA-ES",
///   arXiv:1110.4181). Failed trials don't count; pruned ones rank below complete ones.
/// - A draw outside the bounds is drawn again, up to 10 n times, then clipped.
/// - On a grid the value next to the mean's keeps a probability of at least 1 / (n population) (R.
///   Hamano et al., "CMA-ES with margin", GECCO 2022), so that no integer is lost for good.
/// - Restarts where a generation can't be told apart any more, with twice the population and a
///   random mean (A. Auger, N. Hansen, "A restart CMA evolution strategy", CEC 2005).
class Cmaes {
public:
    Cmaes(std::uint64_t seed, const Space& space);

    void tell(const Tried& tried);

    /// A pure function of seed, what was told, and `number`.
    Params draw(std::int64_t number) const;

    int restarts() const noexcept { return restarts_; }
    double deviation() const noexcept { return sigma_; }

private:
    using Vector = std::vector<double>;

    void start(Vector mean, int population);
    void decompose();
    void update();
    bool spent() const;
    Vector sample(std::int64_t number) const;

    std::uint64_t seed_;
    Sobol sobol_;                ///< of the parameters that take no part
    std::vector<Axis> numeric_;  ///< those that take part
    int restarts_ = 0;
    int population_ = 0;

    Vector mean_, path_sigma_, path_c_;
    Vector covariance_, basis_;  ///< n x n, columns of the basis are eigenvectors
    Vector scales_;              ///< roots of the eigenvalues
    double sigma_ = 0;
    int generations_ = 0;
    std::vector<std::pair<Rank, Vector>> told_;  ///< of this generation
    std::vector<double> best_losses_;            ///< of this start's generations
};

}  // namespace barsweep::search
