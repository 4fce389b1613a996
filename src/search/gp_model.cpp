#include "search/gp_model.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "search/gp_minimise.hpp"

namespace barsweep::search {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double root5 = 2.23606797749978969641;

/// Matern 5/2 and its derivative by the squared distance.
struct Matern {
    double value, slope;
};

Matern matern(double squared)
{
    const double a = root5 * std::sqrt(squared), e = std::exp(-a);
    return {(1 + a + 5.0 / 3 * squared) * e, -5.0 / 6 * (1 + a) * e};
}

/// A normal prior of a logarithm.
struct LogPrior {
    double mean, deviation;

    /// Minus its log density less a constant; adds the slope.
    double loss(double at, double& slope) const
    {
        const double z = (at - mean) / deviation;
        slope += z / deviation;
        return z * z / 2;
    }
};

/// Length scales grow with the root of the dimensions, as C. Hvarfner et al., "Vanilla Bayesian
/// optimization performs great in high dimensions", ICML 2024, section 5 argues; shorter ones than
/// theirs, and closer: log length ~ N(-0.5 + log(n) / 2, 1), the weight being its inverse square.
LogPrior weight_prior(std::size_t axes)
{
    return {1 - std::log(static_cast<double>(axes)), 2};
}
constexpr LogPrior scale_prior{0.0, 1.0};
constexpr LogPrior noise_prior{-10.0, 2.5};

}  // namespace

GpModel::GpModel(std::vector<char> choice, std::vector<Vector> x, Vector y)
    : choice_(std::move(choice)), x_(std::move(x)), y_(std::move(y))
{
    differences_.reserve(x_.size() * (x_.size() - 1) / 2 * choice_.size());
    for (std::size_t axis = 0; axis < choice_.size(); ++axis)
        for (std::size_t j = 0; j < x_.size(); ++j)
            for (std::size_t i = j + 1; i < x_.size(); ++i)
                differences_.push_back(squared_distance(x_[i], x_[j], axis));
}

double GpModel::squared_distance(const Vector& a, const Vector& b, std::size_t axis) const
{
    if (choice_[axis]) return a[axis] == b[axis] ? 0 : 1;
    return (a[axis] - b[axis]) * (a[axis] - b[axis]);
}

/// With G = alpha alpha' - K^-1 the slope of the log likelihood by t is the trace of G dK/dt,
/// halved (Rasmussen and Williams, equation 5.9).
double GpModel::loss(const Vector& theta, Vector& gradient) const
{
    const std::size_t axes = choice_.size();
    const auto n = static_cast<Index>(x_.size());
    const Index pairs = n * (n - 1) / 2;
    const Eigen::Map<const MatrixXd> differences(differences_.data(), pairs,
                                                 static_cast<Index>(axes));
    const VectorXd weights =
        Eigen::Map<const ArrayXd>(theta.data(), static_cast<Index>(axes)).exp();
    const double scale = std::exp(theta[axes]), noise = std::exp(theta[axes + 1]);
    constexpr double refused = std::numeric_limits<double>::infinity();

    const ArrayXd squared = (differences * weights).array();
    const ArrayXd a = root5 * squared.sqrt(), e = (-a).exp();
    const ArrayXd value = (1 + a + 5.0 / 3 * squared) * e, slope = -5.0 / 6 * (1 + a) * e;
    MatrixXd covariance(n, n);
    for (Index j = 0, pair = 0; j < n; ++j) {
        covariance(j, j) = scale + noise + least_noise;
        for (Index i = j + 1; i < n; ++i, ++pair) covariance(i, j) = scale * value[pair];
    }
    const Eigen::LLT<MatrixXd> factor(covariance);
    if (factor.info() != Eigen::Success) return refused;
    const Eigen::Map<const VectorXd> y(y_.data(), n);
    const VectorXd alpha = factor.solve(y);
    double loss = 0.5 * y.dot(alpha);
    for (Index i = 0; i < n; ++i) loss += std::log(factor.matrixLLT()(i, i));

    MatrixXd inverse = MatrixXd::Identity(n, n);
    factor.solveInPlace(inverse);
    ArrayXd g(pairs);
    double trace = 0;
    for (Index j = 0, pair = 0; j < n; ++j) {
        trace += alpha[j] * alpha[j] - inverse(j, j);
        for (Index i = j + 1; i < n; ++i, ++pair) g[pair] = alpha[i] * alpha[j] - inverse(i, j);
    }
    const VectorXd by_weight = differences.transpose() * (g * slope).matrix() * -scale;
    for (std::size_t d = 0; d < axes; ++d) {
        const auto i = static_cast<Index>(d);
        gradient[d] = by_weight[i] * weights[i];
        loss += weight_prior(axes).loss(theta[d], gradient[d]);
    }
    gradient[axes] = -scale * ((g * value).sum() + trace / 2);
    gradient[axes + 1] = -noise * trace / 2;
    loss += scale_prior.loss(theta[axes], gradient[axes]);
    loss += noise_prior.loss(theta[axes + 1], gradient[axes + 1]);
    return std::isfinite(loss) ? loss : refused;
}

double GpModel::fit()
{
    const std::size_t axes = choice_.size();
    Vector best;
    double best_loss = std::numeric_limits<double>::infinity();
    for (const double length : {0.3, 1.5}) {
        Vector theta(axes, -2 * std::log(length) - std::log(static_cast<double>(axes)));
        theta.push_back(scale_prior.mean);
        theta.push_back(noise_prior.mean);
        double loss = 0;
        theta = minimise([this](const Vector& at, Vector& slope) { return this->loss(at, slope); },
                         theta, 60, 1e-3, loss);
        if (best.empty() || loss < best_loss) {
            best = std::move(theta);
            best_loss = loss;
        }
    }
    Kernel kernel;
    for (std::size_t d = 0; d < axes; ++d) kernel.weights.push_back(std::exp(best[d]));
    kernel.scale = std::exp(best[axes]);
    kernel.noise = std::exp(best[axes + 1]);
    use(std::move(kernel));
    return best_loss;
}

void GpModel::use(Kernel kernel)
{
    kernel_ = std::move(kernel);
    factor();
}

/// Raises the noise until the covariance has a factor. (It has one at the latest where the noise is
/// all.)
void GpModel::factor()
{
    const auto n = static_cast<Index>(x_.size());
    MatrixXd covariance(n, n);
    for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) {
            double squared = 0;
            for (std::size_t d = 0; d < choice_.size(); ++d)
                squared +=
                    kernel_.weights[d] * squared_distance(x_[static_cast<std::size_t>(i)],
                                                          x_[static_cast<std::size_t>(j)], d);
            covariance(i, j) = kernel_.scale * matern(squared).value;
        }
    for (double noise = kernel_.noise + least_noise; std::isfinite(noise); noise *= 10) {
        MatrixXd noisy = covariance;
        noisy.diagonal().array() += noise;
        const Eigen::LLT<MatrixXd> llt(noisy);
        if (llt.info() != Eigen::Success) continue;
        factor_.resize(static_cast<std::size_t>(n * n));
        Eigen::Map<MatrixXd>(factor_.data(), n, n) = llt.matrixL();
        alpha_.resize(static_cast<std::size_t>(n));
        Eigen::Map<VectorXd>(alpha_.data(), n) =
            llt.solve(Eigen::Map<const VectorXd>(y_.data(), n));
        return;
    }
}

GpModel::Posterior GpModel::posterior(const Vector& x, bool slopes) const
{
    const auto n = static_cast<Index>(x_.size());
    const std::size_t axes = choice_.size();
    VectorXd k(n), k_slope(n);
    for (Index i = 0; i < n; ++i) {
        double squared = 0;
        for (std::size_t d = 0; d < axes; ++d)
            squared += kernel_.weights[d] * squared_distance(x, x_[static_cast<std::size_t>(i)], d);
        const auto [value, slope] = matern(squared);
        k[i] = kernel_.scale * value;
        k_slope[i] = kernel_.scale * slope;
    }
    const auto factor =
        Eigen::Map<const MatrixXd>(factor_.data(), n, n).triangularView<Eigen::Lower>();
    const Eigen::Map<const VectorXd> alpha(alpha_.data(), n);
    VectorXd solved = factor.solve(k);
    Posterior found{k.dot(alpha), std::max(kernel_.scale - solved.squaredNorm(), 1e-12), {}, {}};
    if (!slopes) return found;
    factor.transpose().solveInPlace(solved);
    found.mean_slope.assign(axes, 0);
    found.variance_slope.assign(axes, 0);
    for (std::size_t d = 0; d < axes; ++d) {
        if (choice_[d]) continue;
        for (Index i = 0; i < n; ++i) {
            const double by_x =
                k_slope[i] * kernel_.weights[d] * 2 * (x[d] - x_[static_cast<std::size_t>(i)][d]);
            found.mean_slope[d] += alpha[i] * by_x;
            found.variance_slope[d] -= 2 * solved[i] * by_x;
        }
    }
    return found;
}

double GpModel::believe(const Vector& x)
{
    y_.push_back(posterior(x, false).mean);
    x_.push_back(x);
    factor();
    return y_.back();
}

}  // namespace barsweep::search
