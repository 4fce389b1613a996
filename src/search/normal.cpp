#include "search/normal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace barsweep::search {
namespace {

constexpr double log_root_two_pi = 0.918938533204672741780;
constexpr double root_half = std::numbers::sqrt2 / 2;

}  // namespace

double log_normal_mass(double a, double b)
{
    const double middle = a + (b - a) / 2, width = b - a;
    if (width < 0.2)
        return std::log(width) - 0.5 * middle * middle - log_root_two_pi +
               std::log1p(width * width / 24 * (middle * middle - 1));
    if (const double near = std::max(a, -b); near > 8)
        return -0.5 * near * near - std::log(near) - log_root_two_pi +
               std::log1p(-std::exp(-width * (near + width / 2)));
    if (a > 0) return std::log(0.5 * (std::erfc(a * root_half) - std::erfc(b * root_half)));
    if (b < 0) return std::log(0.5 * (std::erfc(-b * root_half) - std::erfc(-a * root_half)));
    return std::log1p(-0.5 * (std::erfc(-a * root_half) + std::erfc(b * root_half)));
}

double normal_density(double z)
{
    return std::exp(-0.5 * z * z - log_root_two_pi);
}

double normal_probability(double z)
{
    return 0.5 * std::erfc(-z * root_half);
}

double standard_normal(RandomStream& random)
{
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

}  // namespace barsweep::search
