#include "search/tpe.hpp"

#include <algorithm>

namespace barsweep::search {
namespace {

std::size_t wanted_good(std::size_t trials)
{
    return std::min<std::size_t>((trials + 9) / 10, 25);
}

}  // namespace

Tpe::Tpe(TpeOptions options, const Space& space) : options_(options), sobol_(options.seed, space)
{
    std::map<std::string, std::vector<Axis>> together;  // by what they stand on
    for (const auto& axis : axes_of(space)) {
        if (axis.count == 1) continue;
        std::string key;
        if (const auto found = space.conditions.find(axis.parameter.name);
            found != space.conditions.end()) {
            key = found->second.name;
            for (const auto& value : found->second.values) key += ' ' + value;
        }
        together[key].push_back(axis);
    }
    for (const auto& [key, axes] : together)
        groups_.push_back({axes, ParzenEstimator(axes), ParzenEstimator(axes)});
}

void Tpe::hold(ParzenEstimator Group::*side, const Trial& trial)
{
    for (auto& group : groups_)
        if (const auto at = coordinates_of(group.axes, trial.params); !at.empty())
            (group.*side).insert(trial.number, at);
}

void Tpe::release(ParzenEstimator Group::*side, std::int64_t number)
{
    for (auto& group : groups_) (group.*side).erase(number);
}

void Tpe::move(ParzenEstimator Group::*from, ParzenEstimator Group::*to, std::int64_t number)
{
    release(from, number);
    hold(to, {number, tried_.at(number)});
}

/// A trial that was told before and has come further since is taken out, as if it never was.
void Tpe::forget(std::int64_t number)
{
    const auto found = std::ranges::find(ranked_, number, &Rank::number);
    const auto place = static_cast<std::size_t>(found - ranked_.begin());
    release(place < good_count_ ? &Group::good : &Group::rest, number);
    good_count_ -= place < good_count_;
    ranked_.erase(found);
    tried_.erase(number);
}

void Tpe::tell(const Tried& tried)
{
    const std::int64_t number = tried.trial.number;
    if (std::erase(liars_, number) > 0) release(&Group::rest, number);
    if (tried_.contains(number)) forget(number);
    if (tells(tried)) take(tried);
    const auto number_at = [this](std::size_t i) { return ranked_[i].number; };
    const std::size_t wanted = wanted_good(ranked_.size());
    while (good_count_ < wanted) move(&Group::rest, &Group::good, number_at(good_count_++));
    while (good_count_ > wanted) move(&Group::good, &Group::rest, number_at(--good_count_));
}

void Tpe::take(const Tried& tried)
{
    const Rank rank = rank_of(tried);
    const auto found = std::ranges::lower_bound(ranked_, rank);
    const auto place = static_cast<std::size_t>(found - ranked_.begin());
    ranked_.insert(found, rank);
    tried_[tried.trial.number] = tried.trial.params;

    const bool good = place < good_count_;
    hold(good ? &Group::good : &Group::rest, tried.trial);
    good_count_ += good;
}

/// A paused trial that goes on isn't one: it was told already.
void Tpe::set_liars(std::span<const Trial> running)
{
    std::vector<std::int64_t> now;
    for (const auto& trial : running)
        if (!tried_.contains(trial.number)) now.push_back(trial.number);
    std::ranges::sort(now);
    for (const std::int64_t number : liars_)
        if (!std::ranges::binary_search(now, number)) release(&Group::rest, number);
    for (const auto& trial : running)
        if (!tried_.contains(trial.number)) hold(&Group::rest, trial);
    liars_ = std::move(now);
}

void Tpe::draw_group(Group& group, RandomStream& random, Params& params) const
{
    std::vector<std::vector<double>> candidates;
    for (int i = 0; i < options_.candidates; ++i) candidates.push_back(group.good.sample(random));
    const auto good = group.good.log_densities(candidates);
    const auto rest = group.rest.log_densities(candidates);
    std::size_t first = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i)
        if (good[i] - rest[i] > good[first] - rest[first]) first = i;
    const auto& best = candidates[first];
    for (std::size_t d = 0; d < best.size(); ++d)
        params[group.axes[d].parameter.name] = value_at_coordinate(group.axes[d], best[d]);
}

Params Tpe::draw(std::int64_t number, std::span<const Trial> running)
{
    set_liars(running);
    Params params = sobol_.draw(number);
    if (ranked_.size() < static_cast<std::size_t>(options_.startup)) return params;
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
        RandomStream random(options_.seed, Purpose::tpe_candidates,
                            static_cast<std::uint32_t>(number), i);
        draw_group(groups_[i], random, params);
    }
    return params;
}

}  // namespace barsweep::search
