#include "search/gp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "search/gp_search.hpp"
#include "search/normal.hpp"

namespace barsweep::search {
namespace {

double median_of(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Losses as a model sees them: mean 0, deviation 1.
struct Targets {
    std::vector<double> values;
    double log_jacobian = 0;  ///< log of the derivatives' product, so that likelihoods compare
};

/// Infinite losses count as the worst finite one. `losses` isn't empty.
std::vector<double> finite(std::vector<double> losses)
{
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const double loss : losses) {
        if (!std::isfinite(loss)) continue;
        least = std::min(least, loss);
        most = std::max(most, loss);
    }
    for (double& loss : losses)
        if (!std::isfinite(loss)) loss = least > most ? 0 : loss < 0 ? least : most;
    return losses;
}

/// The losses themselves, or log(1 + (loss - least) / (median - least)), standardised; all 0 where
/// all are equal.
Targets targets_of(const std::vector<double>& losses, bool logarithmic)
{
    const auto n = static_cast<double>(losses.size());
    const auto [least, most] = std::ranges::minmax(losses);
    double unit = median_of(losses) - least;
    if (!(unit > 0)) unit = most - least;
    if (!(unit > 0) || !std::isfinite(unit)) return {std::vector<double>(losses.size()), 0};

    Targets found{losses, -n * std::log(unit)};
    double mean = 0, squares = 0;
    for (double& value : found.values) {
        value = (value - least) / unit;
        if (logarithmic) {
            value = std::log1p(value);
            found.log_jacobian -= value;
        }
        mean += value / n;
    }
    for (double& value : found.values) {
        value -= mean;
        squares += value * value / n;
    }
    const double deviation = std::sqrt(squares);
    for (double& value : found.values) value /= deviation;
    found.log_jacobian -= n * std::log(deviation);
    return found;
}

}  // namespace

Gp::Gp(GpOptions options, const Space& space) : options_(options), sobol_(options.seed, space)
{
    for (auto& axis : axes_of(space))
        if (axis.count != 1 && !space.conditions.contains(axis.parameter.name))
            axes_.push_back(std::move(axis));
}

void Gp::tell(const Tried& tried)
{
    std::erase_if(seen_, [&](const Seen& one) {
        return one.rank.number == tried.trial.number;
    });  // told again
    if (!tells(tried)) return;
    Vector at = coordinates_of(axes_, tried.trial.params);
    if (!at.empty()) seen_.push_back({rank_of(tried), std::move(at)});
}

std::vector<Gp::Seen> Gp::modelled() const
{
    auto seen = seen_;
    if (seen.size() <= options_.most) return seen;
    const auto best = static_cast<std::ptrdiff_t>(options_.most / 3);
    const auto by_rank = [](const Seen& a, const Seen& b) { return a.rank < b.rank; };
    std::ranges::nth_element(seen, seen.begin() + best, by_rank);
    std::ranges::sort(seen.begin() + best, seen.end(), std::greater{},
                      [](const Seen& one) { return one.rank.number; });
    seen.resize(options_.most);
    std::ranges::sort(seen, {}, [](const Seen& one) { return one.rank.number; });
    return seen;
}

Params Gp::draw(std::int64_t number, std::span<const Trial> running) const
{
    Params params = sobol_.draw(number);
    if (seen_.size() < static_cast<std::size_t>(options_.startup) || axes_.empty()) return params;

    const auto seen = modelled();
    Vector complete, losses;
    std::vector<Vector> points;
    for (const auto& one : seen)
        if (!one.rank.pruned) complete.push_back(one.rank.loss);
    for (const auto& one : seen) {
        points.push_back(one.at);
        losses.push_back(one.rank.loss);
        if (one.rank.pruned && !complete.empty())
            losses.back() = std::max(losses.back(), median_of(complete));
    }
    losses = finite(std::move(losses));
    const Vector incumbent =
        points[static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin())];

    std::vector<char> choice;
    for (const auto& axis : axes_) choice.push_back(axis.kind == AxisKind::choice);
    const auto plain = targets_of(losses, false), logarithmic = targets_of(losses, true);
    GpModel model(choice, points, plain.values), other(choice, points, logarithmic.values);
    const bool take_other =
        other.fit() - logarithmic.log_jacobian < model.fit() - plain.log_jacobian;
    if (take_other) model = std::move(other);
    const auto& targets = take_other ? logarithmic : plain;
    double best = *std::ranges::min_element(targets.values);
    for (const auto& trial : running)
        if (const Vector at = coordinates_of(axes_, trial.params); !at.empty())
            best = std::min(best, model.believe(at));

    RandomStream random(options_.seed, Purpose::gp_search, static_cast<std::uint32_t>(number));
    const Vector at = most_promising(model, axes_, best, incumbent, random);
    for (std::size_t d = 0; d < axes_.size(); ++d)
        params[axes_[d].parameter.name] = value_at_coordinate(axes_[d], at[d]);
    return params;
}

}  // namespace barsweep::search
