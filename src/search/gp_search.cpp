#include "search/gp_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "search/gp_minimise.hpp"
#include "search/normal.hpp"

namespace barsweep::search {
namespace {

using Vector = std::vector<double>;

constexpr int random_points = 1024;
constexpr int near_points = 256;
constexpr std::size_t followed = 8;

/// h(z) = density(z) + z probability(z) as a logarithm, and h'(z)/h(z). Below -8 by the asymptotic
/// series of Mills' ratio.
struct LogImprovement {
    double log, slope;
};

LogImprovement log_improvement(double z)
{
    if (z > -8) {
        const double p = normal_probability(z), h = normal_density(z) + z * p;
        return {std::log(h), p / h};
    }
    const double t = 1 / (z * z);
    const double h = 1 - t * (3 - t * (15 - t * (105 - t * 945)));
    const double p = 1 - t * (1 - t * (3 - t * (15 - t * 105)));
    return {-0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi) + std::log(t * h), -z * p / h};
}

/// A point and its log expected improvement.
struct Found {
    Vector at;
    double promise;
};

class Search {
public:
    Search(const GpModel& model, const std::vector<Axis>& axes, double best)
        : model_(model), axes_(axes), best_(best)
    {
        for (std::size_t d = 0; d < axes_.size(); ++d)
            (axes_[d].kind == AxisKind::continuous ? smooth_ : stepped_).push_back(d);
    }

    double promise(const Vector& at) const
    {
        const auto found = model_.posterior(at, false);
        return log_expected_improvement(best_, found.mean, std::sqrt(found.variance));
    }

    /// Uphill from a point, by turns, until neither gains.
    Found follow(Found from) const
    {
        for (int round = 0; round < 10; ++round) {
            const double before = from.promise;
            climb(from);
            bool changed = false;
            for (const std::size_t axis : stepped_) changed |= try_values(from, axis);
            if (!changed || from.promise < before + 1e-6) break;
        }
        return from;
    }

private:
    /// On axes without a step: x = (1 - cos t) / 2 keeps t free and x inside.
    void climb(Found& from) const
    {
        if (smooth_.empty()) return;
        Vector t;
        for (const std::size_t d : smooth_)
            t.push_back(std::acos(1 - 2 * std::clamp(from.at[d], 1e-4, 1 - 1e-4)));
        Vector at = from.at;
        const auto place = [&](const Vector& angles) {
            for (std::size_t i = 0; i < smooth_.size(); ++i)
                at[smooth_[i]] = (1 - std::cos(angles[i])) / 2;
        };
        double loss = 0;
        t = minimise(
            [&](const Vector& angles, Vector& slope) {
                place(angles);
                const auto found = model_.posterior(at, true);
                const double deviation = std::sqrt(found.variance);
                const double z = (best_ - found.mean) / deviation;
                const auto improvement = log_improvement(z);
                for (std::size_t i = 0; i < smooth_.size(); ++i) {
                    const double by_deviation = found.variance_slope[smooth_[i]] / (2 * deviation);
                    const double by_z =
                        (-found.mean_slope[smooth_[i]] - z * by_deviation) / deviation;
                    slope[i] = -(by_deviation / deviation + improvement.slope * by_z) *
                               std::sin(angles[i]) / 2;
                }
                return -(std::log(deviation) + improvement.log);
            },
            t, 50, 1e-4, loss);
        place(t);
        if (const double there = promise(at); there > from.promise) from = {at, there};
    }

    /// The best value of one axis with the others as they are: all where they are few, else
    /// neighbours at doubling distances.
    bool try_values(Found& from, std::size_t d) const
    {
        const auto& axis = axes_[d];
        Vector values;
        const auto n = static_cast<double>(axis.count);
        if (axis.count <= 16) {
            for (std::int64_t k = 0; k < axis.count; ++k)
                values.push_back(snap(axis, (static_cast<double>(k) + 0.5) / n));
            if (axis.log)
                for (std::int64_t k = 0; k < axis.count; ++k)
                    values[static_cast<std::size_t>(k)] =
                        coordinate(axis, value_at(axis.parameter.distribution, k));
        } else {
            const auto [left, right] = cell(axis, from.at[d]);
            for (double reach = (right - left) * 1.01 / 2; reach < 1; reach *= 2)
                for (const double u : {from.at[d] - reach, from.at[d] + reach})
                    if (u >= 0 && u <= 1) values.push_back(snap(axis, u));
        }
        bool changed = false;
        Vector at = from.at;
        for (const double value : values) {
            at[d] = value;
            if (value == from.at[d]) continue;
            if (const double there = promise(at); there > from.promise + 1e-9) {
                from = {at, there};
                changed = true;
            }
        }
        return changed;
    }

    const GpModel& model_;
    const std::vector<Axis>& axes_;
    double best_;
    std::vector<std::size_t> smooth_, stepped_;
};

}  // namespace

double log_expected_improvement(double best, double mean, double deviation)
{
    return std::log(deviation) + log_improvement((best - mean) / deviation).log;
}

std::vector<double> most_promising(const GpModel& model, const std::vector<Axis>& axes, double best,
                                   const std::vector<double>& incumbent, RandomStream& random)
{
    const Search search(model, axes, best);
    std::vector<Found> points;
    const auto add = [&](Vector at) {
        const double promise = search.promise(at);
        points.push_back({std::move(at), promise});
    };
    for (int i = 0; i < random_points; ++i) {
        Vector at;
        for (const auto& axis : axes) at.push_back(snap(axis, random.uniform()));
        add(std::move(at));
    }
    for (int i = 0; i < near_points; ++i) {
        Vector at = incumbent;
        const double reach = std::exp2(-2 - 6 * random.uniform());
        for (std::size_t d = 0; d < axes.size(); ++d) {
            if (random.uniform() * static_cast<double>(axes.size()) > 3) continue;
            at[d] =
                axes[d].kind == AxisKind::choice
                    ? snap(axes[d], random.uniform())
                    : snap(axes[d], std::clamp(at[d] + reach * standard_normal(random), 0.0, 1.0));
        }
        add(std::move(at));
    }
    add(incumbent);

    const std::size_t taken = std::min(followed, points.size());
    std::ranges::stable_sort(points, std::greater{}, &Found::promise);
    Found best_found = points.front();
    for (std::size_t i = 0; i < taken; ++i) {
        Found found = search.follow(points[i]);
        if (found.promise > best_found.promise) best_found = std::move(found);
    }
    return best_found.at;
}

}  // namespace barsweep::search
