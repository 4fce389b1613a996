#pragma once
#include <cstddef>
#include <vector>

namespace barsweep::search {

/// A Gaussian process over [0, 1]^n with mean 0 and the kernel scale * Matern 5/2, r^2 = sum of
/// weight * squared distance an axis (of a choice: 1 where different, Hamming) (C. E. Rasmussen, C.
/// K. I. Williams, "Gaussian processes for machine learning", 2006, equations 4.17, 2.25, 2.26).
class GpModel {
public:
    using Vector = std::vector<double>;

    struct Kernel {
        Vector weights;  ///< inverse squared length scales, an axis
        double scale = 1;
        double noise = 1e-4;  ///< variance, beside `least_noise`
    };
    static constexpr double least_noise = 1e-6;

    struct Posterior {
        double mean, variance;  ///< of the function, without noise
        Vector mean_slope, variance_slope;
    };

    /// `choice`: which axes are choices. `x`: points; `y`: their values, standardised.
    GpModel(std::vector<char> choice, std::vector<Vector> x, Vector y);

    /// Takes the kernel of the highest posterior density (type II, priors in gp_model.cpp), from
    /// fixed starts, so that it depends on the points alone. Its loss.
    double fit();
    void use(Kernel kernel);
    const Kernel& kernel() const noexcept { return kernel_; }

    /// Minus the log of the kernel's posterior density less a constant, at `theta` = logs of
    /// weights, scale, noise; infinite where the covariance isn't positive definite.
    double loss(const Vector& theta, Vector& gradient) const;

    /// Slopes only where asked for.
    Posterior posterior(const Vector& x, bool slopes) const;

    /// Adds a point as if its value were the mean expected there (a trial that runs: D. Ginsbourger
    /// et al., "Kriging is well-suited to parallelize optimization", 2010, kriging believer).
    /// That mean.
    double believe(const Vector& x);

private:
    double squared_distance(const Vector& a, const Vector& b, std::size_t axis) const;
    void factor();

    std::vector<char> choice_;
    std::vector<Vector> x_;
    Vector y_;
    Vector differences_;  ///< [pairs, axes] column-major: squared distances of i > j
    Kernel kernel_;
    Vector factor_;  ///< Cholesky factor, n x n column-major
    Vector alpha_;   ///< inverse covariance times y
};

}  // namespace barsweep::search
