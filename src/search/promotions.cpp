#include "search/promotions.hpp"

#include <algorithm>
#include <limits>

#include "search/numbers.hpp"
#include "search/pruner.hpp"

namespace barsweep::search {
namespace {

constexpr double undefined = -std::numeric_limits<double>::infinity();

std::string told(std::int64_t step, double rank, bool among, std::size_t kept, std::size_t n,
                 double threshold)
{
    return "score " + rank_text(rank) + " at step " + shortest(step) +
           (among ? " is among the best " : " isn't among the best ") + shortest(kept) + " of " +
           shortest(n) + (kept > 0 ? ", which begin at " + rank_text(threshold) : "");
}

}  // namespace

Promotions::Place Promotions::place_of(std::int64_t trial, int rung, std::int64_t step, double rank,
                                       bool last) const
{
    const auto& scores = scores_[static_cast<std::size_t>(rung)];
    const std::size_t n = scores.size();
    const std::size_t kept = std::max<std::size_t>(last ? 1 : 0, n / eta_);
    const double threshold = kept > 0 ? scores.at(n - kept) : 0;
    const bool among = kept > 0 && rank >= threshold && (last || rank != undefined);
    return {trial, rung, among, told(step, rank, among, kept, n, threshold)};
}

Promotions::Place Promotions::report(std::int64_t trial, int rung, std::int64_t step, double rank)
{
    const auto at = static_cast<std::size_t>(rung);
    scores_[at].insert(rank);
    auto place = place_of(trial, rung, step, rank, false);
    if (!place.goes_on) waiting_[at].emplace(-rank, trial);
    return place;
}

std::optional<Promotions::Place> Promotions::next(const std::vector<std::int64_t>& steps,
                                                  bool last) const
{
    for (std::size_t at = waiting_.size(); at-- > 0;) {
        if (waiting_[at].empty()) continue;
        const auto [rank, trial] = *waiting_[at].begin();
        auto place = place_of(trial, static_cast<int>(at), steps[at], -rank, last);
        if (place.goes_on) return place;
    }
    return {};
}

void Promotions::promote(const Place& place)
{
    auto& waiting = waiting_[static_cast<std::size_t>(place.rung)];
    waiting.erase(waiting.begin());
}

std::vector<Promotions::Place> Promotions::waiting(const std::vector<std::int64_t>& steps) const
{
    std::vector<Place> places;
    for (std::size_t at = 0; at < waiting_.size(); ++at)
        for (const auto& [rank, trial] : waiting_[at])
            places.push_back(place_of(trial, static_cast<int>(at), steps[at], -rank, false));
    std::ranges::sort(places, {}, &Place::trial);
    return places;
}

bool Promotions::none_waits() const
{
    return std::ranges::all_of(waiting_, &Waiting::empty);
}

void Promotions::send_home()
{
    for (auto& waiting : waiting_) waiting.clear();
}

}  // namespace barsweep::search
