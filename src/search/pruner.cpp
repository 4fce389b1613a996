#include "search/pruner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/numbers.hpp"

namespace barsweep::search {
namespace {

constexpr double undefined = -std::numeric_limits<double>::infinity();

std::string text(double rank)
{
    return rank == undefined ? "undefined" : shortest(rank);
}

std::optional<std::string> cut_by_median(const PrunerOptions& options, std::int64_t step,
                                         double rank, const std::vector<double>& rivals)
{
    const auto defined = rivals.end() - std::ranges::upper_bound(rivals, undefined);
    if (defined < options.startup || rivals.empty()) return {};
    const std::size_t n = rivals.size();
    const double low = rivals[(n - 1) / 2], high = rivals[n / 2];
    const double median = low == undefined ? low : low + (high - low) / 2;
    if (!(rank < median)) return {};
    return "score " + text(rank) + " at step " + shortest(step) + " is below the median " +
           text(median) + " of " + shortest(n) + " rivals";
}

std::optional<std::string> cut_by_halving(const PrunerOptions& options, std::int64_t step,
                                          double rank, const std::vector<double>& rivals)
{
    const std::size_t n = rivals.size() + 1;
    const std::size_t kept = std::max<std::size_t>(1, n / static_cast<std::size_t>(options.eta));
    if (rivals.size() < kept) return {};  // even the lowest is among the best
    const double threshold = rivals[rivals.size() - kept];
    if (rank >= threshold) return {};
    return "score " + text(rank) + " at step " + shortest(step) + " isn't among the best " +
           shortest(kept) + " of " + shortest(n) + ", which begin at " + text(threshold);
}

}  // namespace

double rank_score(double score)
{
    return std::isfinite(score) ? score : undefined;
}

std::optional<std::string> cut(const PrunerOptions& options, std::int64_t step, double score,
                               const std::vector<double>& rivals)
{
    if (step < options.warmup) return {};
    switch (options.kind) {
        case PrunerKind::none:
            break;
        case PrunerKind::median:
            return cut_by_median(options, step, rank_score(score), rivals);
        case PrunerKind::halving:
            return cut_by_halving(options, step, rank_score(score), rivals);
    }
    return {};
}

}  // namespace barsweep::search
