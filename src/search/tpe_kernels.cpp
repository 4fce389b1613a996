#include "search/tpe_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "search/normal.hpp"

namespace barsweep::search {
namespace {

constexpr double log_root_two_pi = 0.918938533204672741780;
constexpr std::size_t full_weights = 25;  ///< the last observations, which weigh 1 each

double least_deviation(std::size_t observations)
{
    return 1 / std::min(100.0, static_cast<double>(observations) + 2);
}

/// Weights of n observations in the order of their numbers, not normalised.
std::vector<double> ramp(std::size_t n)
{
    std::vector<double> weights(n, 1.0);
    if (n <= full_weights) return weights;
    const std::size_t old = n - full_weights;
    const double first = 1 / static_cast<double>(n);
    for (std::size_t i = 0; i < old; ++i)
        weights[i] =
            old == 1 ? first
                     : first + (1 - first) * static_cast<double>(i) / static_cast<double>(old - 1);
    return weights;
}

/// A choice's kernel: its own value's share, and another's.
struct ChoiceShares {
    double own, other;
};

ChoiceShares choice_shares(const Axis& axis, std::size_t observations)
{
    const double prior = 1 / (static_cast<double>(observations) + 1);
    const double sum = 1 + prior * static_cast<double>(axis.count);
    return {(1 + prior) / sum, prior / sum};
}

}  // namespace

ParzenEstimator::ParzenEstimator(std::vector<Axis> axes)
{
    for (auto& axis : axes) columns_.push_back({std::move(axis), {}, {}, {}, {}, {}});
}

std::size_t ParzenEstimator::index_of(std::int64_t number) const
{
    return static_cast<std::size_t>(std::ranges::lower_bound(numbers_, number) - numbers_.begin());
}

void ParzenEstimator::insert(std::int64_t number, const std::vector<double>& at)
{
    const auto index = static_cast<std::ptrdiff_t>(index_of(number));
    if (static_cast<std::size_t>(index) < size() &&
        numbers_[static_cast<std::size_t>(index)] == number)
        return;
    numbers_.insert(numbers_.begin() + index, number);
    const double narrowest = least_deviation(size());
    for (std::size_t d = 0; d < columns_.size(); ++d) {
        auto& column = columns_[d];
        column.at.insert(column.at.begin() + index, at[d]);
        if (column.axis.kind == AxisKind::choice) continue;
        for (auto* values : {&column.deviation, &column.sharpness, &column.log_scale})
            values->insert(values->begin() + index, 0.0);
        const Place place{at[d], number};
        const auto where = std::ranges::lower_bound(column.order, place);
        fit_around(column, static_cast<std::size_t>(column.order.insert(where, place) -
                                                    column.order.begin()));
    }
    if (narrowest != narrowest_) {
        narrowest_ = narrowest;
        for (auto& column : columns_)
            for (std::size_t i = 0; i < column.order.size(); ++i) fit(column, i);
    }
    settled_ = false;
}

void ParzenEstimator::erase(std::int64_t number)
{
    const auto index = static_cast<std::ptrdiff_t>(index_of(number));
    if (static_cast<std::size_t>(index) == size() ||
        numbers_[static_cast<std::size_t>(index)] != number)
        return;
    numbers_.erase(numbers_.begin() + index);
    const double narrowest = least_deviation(size());
    for (auto& column : columns_) {
        const Place place{column.at[static_cast<std::size_t>(index)], number};
        column.at.erase(column.at.begin() + index);
        if (column.axis.kind == AxisKind::choice) continue;
        for (auto* values : {&column.deviation, &column.sharpness, &column.log_scale})
            values->erase(values->begin() + index);
        const auto where = std::ranges::lower_bound(column.order, place);
        const auto next =
            static_cast<std::size_t>(column.order.erase(where) - column.order.begin());
        if (next < column.order.size()) fit_around(column, next);
        if (next > 0) fit_around(column, next - 1);
    }
    if (narrowest != narrowest_) {
        narrowest_ = narrowest;
        for (auto& column : columns_)
            for (std::size_t i = 0; i < column.order.size(); ++i) fit(column, i);
    }
    settled_ = false;
}

void ParzenEstimator::fit_around(Column& column, std::size_t place)
{
    const std::size_t first = place < 2 ? 0 : place - 2;
    const std::size_t last = std::min(place + 2, column.order.size() - 1);
    for (std::size_t i = first; i <= last; ++i) fit(column, i);
}

/// The gap to an end of the axis counts only for a lone observation: else a kernel at the edge
/// would be as wide as the empty stretch beside it.
void ParzenEstimator::fit(Column& column, std::size_t place)
{
    const auto& order = column.order;
    const double at = order[place].at;
    double gap = 0;
    if (order.size() == 1) {
        gap = std::max(at, 1 - at);
    } else {
        if (place > 0) gap = at - order[place - 1].at;
        if (place + 1 < order.size()) gap = std::max(gap, order[place + 1].at - at);
    }
    const double deviation = std::clamp(gap, narrowest_, 1.0);
    const std::size_t i = index_of(order[place].number);
    if (column.deviation[i] == deviation) return;
    column.deviation[i] = deviation;
    column.sharpness[i] = 0.5 / (deviation * deviation);
    column.log_scale[i] = -log_normal_mass(-at / deviation, (1 - at) / deviation);
    if (column.axis.kind == AxisKind::continuous)
        column.log_scale[i] -= std::log(deviation) + log_root_two_pi;
}

/// What every point's density shares: weights, and the kernels' scales.
void ParzenEstimator::settle()
{
    if (settled_) return;
    settled_ = true;
    weights_ = ramp(size());
    weights_.push_back(1.0);
    double sum = 0;
    for (const double weight : weights_) sum += weight;
    for (double& weight : weights_) weight /= sum;

    base_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) base_[i] = std::log(weights_[i]);
    for (const auto& column : columns_)
        if (column.axis.kind != AxisKind::choice)
            for (std::size_t i = 0; i < size(); ++i) base_[i] += column.log_scale[i];
}

std::vector<double> ParzenEstimator::sample(RandomStream& random)
{
    settle();
    double left = random.uniform();
    std::size_t kernel = 0;
    while (kernel < size() && left >= weights_[kernel]) left -= weights_[kernel++];
    const bool prior = kernel == size();

    std::vector<double> at;
    for (const auto& column : columns_) {
        const auto& axis = column.axis;
        if (axis.kind == AxisKind::choice) {
            const double own = choice_shares(axis, size()).own - choice_shares(axis, size()).other;
            const double u = random.uniform();
            at.push_back(!prior && u < own
                             ? column.at[kernel]
                             : snap(axis, prior ? u : std::min((u - own) / (1 - own), 1.0)));
            continue;
        }
        const double mean = prior ? 0.5 : column.at[kernel];
        const double deviation = prior ? 1 : column.deviation[kernel];
        double x = 0;
        do x = mean + deviation * standard_normal(random);
        while (x < 0 || x > 1);
        at.push_back(snap(axis, x));
    }
    return at;
}

double ParzenEstimator::prior_log_density(const std::vector<double>& at) const
{
    double log = std::log(weights_.back());
    for (std::size_t d = 0; d < columns_.size(); ++d) {
        const auto& axis = columns_[d].axis;
        if (axis.kind == AxisKind::choice) {
            log -= std::log(static_cast<double>(axis.count));
            continue;
        }
        log -= log_normal_mass(-0.5, 0.5);
        if (axis.kind == AxisKind::grid) {
            const auto [left, right] = cell(axis, at[d]);
            log += log_normal_mass(left - 0.5, right - 0.5);
        } else {
            log -= 0.5 * (at[d] - 0.5) * (at[d] - 0.5) + log_root_two_pi;
        }
    }
    return log;
}

/// Log kernels at a coordinate of a grid, by observation. Those repeat, so a small table of the
/// last masses found spares most of them.
void ParzenEstimator::set_log_cells(const Column& column, double at)
{
    struct Known {
        double mean = -1, deviation = 0, log_mass = 0;
    };
    std::array<Known, 512> known;
    const auto [left, right] = cell(column.axis, at);
    for (std::size_t i = 0; i < size(); ++i) {
        const double mean = column.at[i], deviation = column.deviation[i];
        auto& found = known[static_cast<std::size_t>(mean * 4093) % known.size()];
        if (found.mean != mean || found.deviation != deviation)
            found = {mean, deviation,
                     log_normal_mass((left - mean) / deviation, (right - mean) / deviation)};
        term_[i] = found.log_mass;
    }
}

void ParzenEstimator::set_log_shares(const Column& column, double at)
{
    const auto shares = choice_shares(column.axis, size());
    const double own = std::log(shares.own), other = std::log(shares.other);
    for (std::size_t i = 0; i < size(); ++i) term_[i] = column.at[i] == at ? own : other;
}

/// Adds one axis' log kernels to the points' `logs_`. Points share the few values of a grid or
/// choice, whose terms are found once.
void ParzenEstimator::add_log_kernels(std::size_t axis, const std::vector<std::vector<double>>& at)
{
    const auto& column = columns_[axis];
    const double* mean = column.at.data();
    const double* sharpness = column.sharpness.data();
    const std::size_t n = size();
    std::vector<char> done(at.size());
    for (std::size_t p = 0; p < at.size(); ++p) {
        const double x = at[p][axis];
        if (column.axis.kind == AxisKind::continuous) {
            double* logs = logs_[p].data();
            for (std::size_t i = 0; i < n; ++i) {
                const double off = x - mean[i];
                logs[i] -= off * off * sharpness[i];
            }
            continue;
        }
        if (done[p]) continue;
        column.axis.kind == AxisKind::grid ? set_log_cells(column, x) : set_log_shares(column, x);
        for (std::size_t q = p; q < at.size(); ++q) {
            if (at[q][axis] != x) continue;
            done[q] = 1;
            double* logs = logs_[q].data();
            for (std::size_t i = 0; i < n; ++i) logs[i] += term_[i];
        }
    }
}

std::vector<double> ParzenEstimator::log_densities(const std::vector<std::vector<double>>& at)
{
    settle();
    logs_.assign(at.size(), base_);
    term_.resize(size());
    for (std::size_t d = 0; d < columns_.size(); ++d) add_log_kernels(d, at);

    std::vector<double> found;
    for (std::size_t p = 0; p < at.size(); ++p) {
        const double prior = prior_log_density(at[p]);
        double top = prior;
        for (const double log : logs_[p]) top = std::max(top, log);
        double sum = std::exp(prior - top);
        for (const double log : logs_[p])
            if (log > top - 40) sum += std::exp(log - top);  // others: below one part in 10^17
        found.push_back(top + std::log(sum));
    }
    return found;
}

double ParzenEstimator::deviation(std::int64_t number, std::size_t axis) const
{
    return columns_.at(axis).deviation.at(index_of(number));
}

}  // namespace barsweep::search
