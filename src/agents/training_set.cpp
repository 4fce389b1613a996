#include "agents/training_set.hpp"

#include <cmath>
#include <utility>

namespace barsweep::agents {

double automatic_reward_scale(const bars::BarSeries& series, bars::Window window)
{
    const auto log_return = [&](std::int64_t row) {
        const auto before = static_cast<double>(series.ohlc[static_cast<std::size_t>(row - 1)][3]);
        const auto after = static_cast<double>(series.ohlc[static_cast<std::size_t>(row)][3]);
        return before > 0 && after > 0 ? std::log(after / before) : 0.0;
    };
    double mean = 0, squares = 0, count = 0;  // B. P. Welford, Technometrics 4(3), 1962
    for (auto row = window.first + 1; row <= window.last; ++row) {
        const double delta = log_return(row) - mean;
        mean += delta / ++count;
        squares += delta * (log_return(row) - mean);
    }
    const double deviation = count > 0 ? std::sqrt(squares / count) : 0;
    return deviation < 1e-12 ? 1 : 1 / deviation;
}

TrainingSet make_training_set(sim::Market market, device::Buffer<float> features, int feature_count,
                              bars::Window fitted_on, bars::Window train, double reward_scale)
{
    const auto view = features.write();
    const std::span<float> rows{view.data, features.size()};
    auto scaling = bars::fit_scaling(rows, feature_count, fitted_on);
    bars::apply_scaling(rows, scaling);
    return {std::move(market), std::move(features), feature_count, std::move(scaling), train,
            reward_scale};
}

}  // namespace barsweep::agents
