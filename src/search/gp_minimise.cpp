#include "search/gp_minimise.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

namespace barsweep::search {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// x + step * direction.
Vector along(const Vector& x, double step, const Vector& direction)
{
    Vector there = x;
    for (std::size_t i = 0; i < x.size(); ++i) there[i] += step * direction[i];
    return there;
}

/// A step and the gradient's change over it.
struct Pair {
    Vector step, change;
    double product;
};

/// Minus the gradient, times the inverse curvature that the last steps showed.
Vector direction_of(const std::deque<Pair>& pairs, const Vector& gradient)
{
    Vector direction = gradient;
    std::vector<double> share(pairs.size());
    for (std::size_t i = pairs.size(); i-- > 0;) {
        share[i] = dot(pairs[i].step, direction) / pairs[i].product;
        direction = along(direction, -share[i], pairs[i].change);
    }
    if (!pairs.empty()) {
        const double scale = pairs.back().product / dot(pairs.back().change, pairs.back().change);
        for (double& d : direction) d *= scale;
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double again = dot(pairs[i].change, direction) / pairs[i].product;
        direction = along(direction, share[i] - again, pairs[i].step);
    }
    for (double& d : direction) d = -d;
    return direction;
}

double largest(const Vector& gradient)
{
    double most = 0;
    for (const double g : gradient) most = std::max(most, std::abs(g));
    return most;
}

}  // namespace

std::vector<double> minimise(const Objective& objective, std::vector<double> x, int steps,
                             double tolerance, double& value)
{
    Vector gradient(x.size()), next_gradient(x.size());
    std::deque<Pair> pairs;
    value = objective(x, gradient);
    if (!std::isfinite(value)) return x;
    for (int taken = 0; taken < steps && largest(gradient) > tolerance; ++taken) {
        Vector direction = direction_of(pairs, gradient);
        double slope = dot(direction, gradient);
        if (!(slope < 0)) {
            pairs.clear();
            direction = direction_of(pairs, gradient);
            slope = dot(direction, gradient);
        }
        double step = pairs.empty() ? std::min(1.0, 0.5 / largest(gradient)) : 1.0;
        Vector next;
        double next_value = 0;
        int tries = 0;
        for (; tries < 25; ++tries, step /= 2) {
            next = along(x, step, direction);
            next_value = objective(next, next_gradient);
            if (next_value <= value + 1e-4 * step * slope) break;
        }
        if (tries == 25) break;
        Pair pair{along(next, -1, x), along(next_gradient, -1, gradient), 0};
        pair.product = dot(pair.step, pair.change);
        if (pair.product > 1e-10 * dot(pair.change, pair.change)) {
            pairs.push_back(std::move(pair));
            if (pairs.size() > 10) pairs.pop_front();
        }
        const double gain = value - next_value;
        x = std::move(next);
        gradient = next_gradient;
        value = next_value;
        if (gain < 1e-9 * (1 + std::abs(value))) break;
    }
    return x;
}

}  // namespace barsweep::search
