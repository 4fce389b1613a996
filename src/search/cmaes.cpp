#include "search/cmaes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "search/normal.hpp"

namespace barsweep::search {
namespace {

constexpr double first_sigma = 1.0 / 8;

using Eigen::MatrixXd;
using Eigen::VectorXd;

auto view(std::vector<double>& of)
{
    return Eigen::Map<VectorXd>(of.data(), static_cast<Eigen::Index>(of.size()));
}

auto view(const std::vector<double>& of)
{
    return Eigen::Map<const VectorXd>(of.data(), static_cast<Eigen::Index>(of.size()));
}

template <class V>
auto square(V& of, std::size_t n)
{
    using M = std::conditional_t<std::is_const_v<V>, const MatrixXd, MatrixXd>;
    return Eigen::Map<M>(of.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
}

bool inside(const VectorXd& x)
{
    return x.minCoeff() >= 0 && x.maxCoeff() <= 1;
}

}  // namespace

int cmaes_population(int dimensions)
{
    return 4 + static_cast<int>(3 * std::log(dimensions));
}

CmaesConstants::CmaesConstants(int dimensions, int population)
    : weights(static_cast<std::size_t>(population))
{
    const double n = dimensions;
    const auto half = static_cast<std::size_t>(population / 2);
    double sum = 0, squares = 0, low_sum = 0, low_squares = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double w = std::log((population + 1) / 2.0) - std::log(static_cast<double>(i) + 1);
        weights[i] = w;
        (i < half ? sum : low_sum) += w;
        (i < half ? squares : low_squares) += w * w;
    }
    mu_eff = sum * sum / squares;
    const double low_mu_eff = low_sum * low_sum / low_squares;

    c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
    c_mu = std::min(1 - c_1, 2 * (0.25 + mu_eff + 1 / mu_eff - 2) / ((n + 2) * (n + 2) + mu_eff));
    c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (n + 1)) - 1) + c_sigma;
    chi = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));

    double positive = 0, negative = 0;
    for (const double w : weights) (w >= 0 ? positive : negative) += std::abs(w);
    const double low_sum_of_weights = std::min(
        {1 + c_1 / c_mu, 1 + 2 * low_mu_eff / (mu_eff + 2), (1 - c_1 - c_mu) / (n * c_mu)});
    for (double& w : weights) w *= w >= 0 ? 1 / positive : low_sum_of_weights / negative;
}

Cmaes::Cmaes(std::uint64_t seed, const Space& space) : seed_(seed), sobol_(seed, space)
{
    for (const auto& axis : axes_of(space))
        if (axis.kind != AxisKind::choice && axis.count != 1 &&
            !space.conditions.contains(axis.parameter.name))
            numeric_.push_back(axis);
    if (!numeric_.empty())
        start(Vector(numeric_.size(), 0.5), cmaes_population(static_cast<int>(numeric_.size())));
}

void Cmaes::start(Vector mean, int population)
{
    const std::size_t n = numeric_.size();
    mean_ = std::move(mean);
    population_ = population;
    sigma_ = first_sigma;
    generations_ = 0;
    path_sigma_.assign(n, 0);
    path_c_.assign(n, 0);
    covariance_.assign(n * n, 0);
    square(covariance_, n).setIdentity();
    told_.clear();
    best_losses_.clear();
    decompose();
}

void Cmaes::decompose()
{
    const std::size_t n = numeric_.size();
    auto c = square(covariance_, n);
    c = ((c + c.transpose()) / 2).eval();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(c);
    basis_.resize(n * n);
    square(basis_, n) = solver.eigenvectors();
    scales_.resize(n);
    view(scales_) = solver.eigenvalues().cwiseMax(1e-20).cwiseSqrt();
}

void Cmaes::tell(const Tried& tried)
{
    if (!tells(tried) || numeric_.empty()) return;
    Vector at = coordinates_of(numeric_, tried.trial.params);
    if (at.empty()) return;
    told_.emplace_back(rank_of(tried), std::move(at));
    if (told_.size() < static_cast<std::size_t>(population_)) return;

    update();
    if (!spent()) return;
    ++restarts_;
    Vector mean;
    for (std::size_t i = 0; i < numeric_.size(); ++i)
        mean.push_back(RandomStream(seed_, Purpose::cmaes_step, ~static_cast<std::uint32_t>(i),
                                    ~static_cast<std::uint32_t>(restarts_))
                           .uniform());
    start(std::move(mean), 2 * population_);
}

/// Equations of the tutorial's appendix A, by its numbers.
void Cmaes::update()
{
    const std::size_t n = numeric_.size();
    const auto dimensions = static_cast<double>(n);
    const CmaesConstants k(static_cast<int>(n), population_);
    std::ranges::sort(told_);
    best_losses_.push_back(told_.front().first.loss);
    ++generations_;

    const auto basis = square(std::as_const(basis_), n);
    const auto scales = view(std::as_const(scales_));
    const auto whitened = [&](const VectorXd& y) -> VectorXd {
        return basis * (basis.transpose() * y).cwiseQuotient(scales);
    };
    const double longest = std::sqrt(dimensions) + 2 * dimensions / (dimensions + 2);
    std::vector<VectorXd> steps;
    for (const auto& [rank, at] : told_) {
        VectorXd y = (view(at) - view(mean_)) / sigma_;
        const double length = whitened(y).norm();
        if (length > longest) y *= longest / length;
        steps.push_back(std::move(y));
    }
    told_.clear();

    VectorXd step = VectorXd::Zero(static_cast<Eigen::Index>(n));  // (41)
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (k.weights[i] > 0) step += k.weights[i] * steps[i];
    view(mean_) += sigma_ * step;  // (42)

    auto path_sigma = view(path_sigma_);  // (43)
    path_sigma = (1 - k.c_sigma) * path_sigma +
                 std::sqrt(k.c_sigma * (2 - k.c_sigma) * k.mu_eff) * whitened(step);
    const double length = path_sigma.norm();
    sigma_ =
        std::min(sigma_ * std::exp(k.c_sigma / k.d_sigma * (length / k.chi - 1)), 1.0);  // (44)

    const double settled = std::sqrt(1 - std::pow(1 - k.c_sigma, 2.0 * (generations_ + 1)));
    const bool steady = length / settled < (1.4 + 2 / (dimensions + 1)) * k.chi;
    auto path = view(path_c_);  // (45)
    path *= 1 - k.c_c;
    if (steady) path += std::sqrt(k.c_c * (2 - k.c_c) * k.mu_eff) * step;

    double weight_sum = 0;
    for (const double w : k.weights) weight_sum += w;
    const double lost = steady ? 0 : k.c_c * (2 - k.c_c);
    auto c = square(covariance_, n);  // (46), (47)
    MatrixXd next = (1 + k.c_1 * lost - k.c_1 - k.c_mu * weight_sum) * c;
    next += k.c_1 * path * path.transpose();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        double w = k.weights[i];
        if (w < 0) w *= dimensions / (whitened(steps[i]).squaredNorm() + 1e-8);
        next += k.c_mu * w * steps[i] * steps[i].transpose();
    }
    c = next;
    decompose();
}

/// Stops of the tutorial's appendix B.3 that mean: nothing more to be had here.
bool Cmaes::spent() const
{
    const std::size_t n = numeric_.size();
    const auto window =
        10 + static_cast<std::size_t>(std::ceil(30.0 * static_cast<double>(n) / population_));
    if (best_losses_.size() >= window) {
        const auto [low, high] = std::minmax_element(
            best_losses_.end() - static_cast<std::ptrdiff_t>(window), best_losses_.end());
        if (*high - *low < 1e-12) return true;
    }
    const double widest = scales_.back(), narrowest = scales_.front();
    return sigma_ * widest < 1e-12 * first_sigma || widest > 1e7 * narrowest ||
           !std::isfinite(sigma_ * widest);
}

Cmaes::Vector Cmaes::sample(std::int64_t number) const
{
    const std::size_t n = numeric_.size();
    RandomStream random(seed_, Purpose::cmaes_step, static_cast<std::uint32_t>(number));
    const auto basis = square(basis_, n);
    VectorXd x(static_cast<Eigen::Index>(n));
    for (std::size_t attempt = 0; attempt <= 10 * n; ++attempt) {
        for (double& z : x) z = standard_normal(random);
        x = view(mean_) + sigma_ * (basis * x.cwiseProduct(view(scales_))).eval();
        if (inside(x)) break;
    }
    x = x.cwiseMax(0).cwiseMin(1);

    const double margin = 1 / static_cast<double>(n * static_cast<std::size_t>(population_));
    for (std::size_t d = 0; d < n; ++d) {
        const auto& axis = numeric_[d];
        if (axis.kind != AxisKind::grid) continue;
        const double mean = std::clamp(mean_[d], 0.0, 1.0);
        const auto i = static_cast<Eigen::Index>(d);
        const double deviation = sigma_ * std::sqrt(square(covariance_, n)(i, i));
        const auto [left, right] = cell(axis, snap(axis, mean));
        const double beyond[] = {left <= 0 ? 0 : normal_probability((left - mean) / deviation),
                                 right >= 1 ? 0 : normal_probability((mean - right) / deviation)};
        const double u = random.uniform();
        if (left > 0 && beyond[0] < margin && u < margin - beyond[0])
            x[i] = std::max(0.0, left - 1e-9);
        else if (right < 1 && beyond[1] < margin && 1 - u <= margin - beyond[1])
            x[i] = std::min(1.0, right + 1e-9);
    }
    return {x.begin(), x.end()};
}

Params Cmaes::draw(std::int64_t number) const
{
    Params params = sobol_.draw(number);
    if (numeric_.empty()) return params;
    const auto at = sample(number);
    for (std::size_t d = 0; d < at.size(); ++d) {
        const auto& axis = numeric_[d];
        params[axis.parameter.name] = value_at_coordinate(axis, at[d]);
    }
    return params;
}

}  // namespace barsweep::search
