#include <algorithm>
#include <cassert>
#include <cmath>

#include "bars/features.hpp"

namespace barsweep::bars {

Scaling fit_scaling(std::span<const float> features, int count, Window window)
{
    const auto columns = static_cast<std::size_t>(count);
    const auto first = static_cast<std::size_t>(window.first);
    const auto last = static_cast<std::size_t>(window.last);  // no decision row itself
    assert(window.first >= 0 && window.decisions() > 0 && last * columns <= features.size());
    const auto rows = static_cast<double>(window.decisions());

    Scaling scaling{{&features[first * columns], &features[first * columns] + columns},
                    std::vector<double>(columns),
                    std::vector<double>(columns)};
    const auto each = [&](auto add) {
        for (auto row = first; row < last; ++row)
            for (std::size_t i = 0; i < columns; ++i)
                add(i, double{features[row * columns + i]} - scaling.first[i]);
    };
    each([&](std::size_t i, double x) { scaling.mean[i] += x; });
    for (auto& mean : scaling.mean) mean /= rows;
    each([&](std::size_t i, double x) {
        scaling.deviation[i] += (x - scaling.mean[i]) * (x - scaling.mean[i]);
    });
    for (auto& deviation : scaling.deviation) {
        deviation = std::sqrt(deviation / rows);
        if (deviation < 1e-12) deviation = 1;
    }
    return scaling;
}

void apply_scaling(std::span<float> features, const Scaling& scaling)
{
    constexpr double most = 10;
    const auto columns = scaling.first.size();
    for (std::size_t row = 0; row < features.size(); row += columns)
        for (std::size_t i = 0; i < columns; ++i) {
            const double x = double{features[row + i]} - scaling.first[i] - scaling.mean[i];
            features[row + i] =
                static_cast<float>(std::clamp(x / scaling.deviation[i], -most, most));
        }
}

}  // namespace barsweep::bars
