#pragma once
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "search/coordinates.hpp"

namespace barsweep::search {

/// A Parzen estimator over axes: a mixture of a prior and of one product kernel an observation (J.
/// Bergstra et al., "Algorithms for hyper-parameter optimization", NIPS 2011, section 4; joint
/// kernels: S. Watanabe, "Tree-structured Parzen estimator", arXiv:2304.11127, section 3.3).
/// - A number's kernel is a normal truncated to [0, 1]; its deviation is the wider gap to the
///   neighbours on that axis, at least 1 / min(100, kernels + 1) ("magic clip"), at most 1. A grid
///   value has the mass of its cell.
/// - A choice's kernel gives 1 to its own value and 1/kernels to each, over their sum.
/// - The prior weighs 1: a normal of deviation 1 in the middle; every choice alike. An observation
///   weighs 1, but of more than 25 those before the last 25 weigh from 1/n up to 1 (by number).
/// It is a pure function of the observations held, whatever way they came and went: an insertion
/// or a removal touches the neighbours alone.
class ParzenEstimator {
public:
    explicit ParzenEstimator(std::vector<Axis> axes);

    /// `at`: a coordinate an axis. An observation that is held already stays as it is.
    void insert(std::int64_t number, const std::vector<double>& at);
    void erase(std::int64_t number);

    std::size_t size() const noexcept { return numbers_.size(); }

    /// One draw, snapped to values that the axes have.
    std::vector<double> sample(RandomStream& random);

    /// Logarithms of the density (of grid values and choices: the mass) at some points.
    std::vector<double> log_densities(const std::vector<std::vector<double>>& at);

    /// Deviation of an observation's kernel on an axis that isn't a choice's.
    double deviation(std::int64_t number, std::size_t axis) const;

private:
    struct Place {
        double at;
        std::int64_t number;
        auto operator<=>(const Place&) const = default;
    };
    struct Column {
        Axis axis;
        std::vector<double> at;         ///< coordinates, by observation
        std::vector<double> deviation;  ///< of numbers
        std::vector<double> sharpness;  ///< 1 / (2 deviation^2)
        std::vector<double> log_scale;  ///< log of what the kernel is multiplied by
        std::vector<Place> order;       ///< ascending
    };

    std::size_t index_of(std::int64_t number) const;
    void fit(Column& column, std::size_t place);
    void fit_around(Column& column, std::size_t place);
    void settle();
    double prior_log_density(const std::vector<double>& at) const;
    void set_log_cells(const Column& column, double at);
    void set_log_shares(const Column& column, double at);
    void add_log_kernels(std::size_t axis, const std::vector<std::vector<double>>& at);

    std::vector<Column> columns_;
    std::vector<std::int64_t> numbers_;      ///< of observations, ascending
    std::vector<double> weights_;            ///< of observations, then the prior's; they sum to 1
    std::vector<double> base_;               ///< log weight and log scales, by observation
    std::vector<std::vector<double>> logs_;  ///< scratch: a point's log kernels
    std::vector<double> term_;               ///< scratch: of one axis
    double narrowest_ = 1;                   ///< the least deviation with this many kernels
    bool settled_ = false;
};

}  // namespace barsweep::search
