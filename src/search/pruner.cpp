#include "search/pruner.hpp"

#include <algorithm>
#include <cmath>

#include "search/numbers.hpp"

namespace barsweep::search {
namespace {

constexpr double undefined = -std::numeric_limits<double>::infinity();

std::string place(double rank, const Standing& standing)
{
    return "score " + rank_text(rank) + " at step " + shortest(standing.step);
}

/// The score below which a share of the rivals lies, between two of them in proportion; undefined
/// where the lower of them is.
double quantile(const Rivals& rivals, double share)
{
    const double at = share * static_cast<double>(rivals.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const double low = rivals.at(below);
    const double rest = at - static_cast<double>(below);
    if (low == undefined || rest == 0) return low;
    return low + rest * (rivals.at(below + 1) - low);
}

std::optional<std::string> cut_below(const PrunerOptions& options, const Standing& standing,
                                     double rank, double share, const std::string& name)
{
    const auto& rivals = standing.rivals;
    if (rivals.size() == 0 || rivals.defined() < static_cast<std::size_t>(options.startup))
        return {};
    const double threshold = quantile(rivals, share);
    if (!(rank < threshold)) return {};
    return place(rank, standing) + " is below " + name + " " + rank_text(threshold) + " of " +
           shortest(rivals.size()) + " rivals";
}

std::optional<std::string> cut_outside(const PrunerOptions& options, const Standing& standing)
{
    const double score = standing.score;
    const auto cause = [&](const std::string& how) {
        return place(std::isfinite(score) ? score : undefined, standing) + how;
    };
    if (!std::isfinite(score)) return cause(", where a threshold asks for one");
    if (score < options.lower)
        return cause(" is below the lower threshold " + shortest(options.lower));
    if (score > options.upper)
        return cause(" is above the upper threshold " + shortest(options.upper));
    return {};
}

std::optional<std::string> cut_by_halving(const PrunerOptions& options, const Standing& standing,
                                          double rank, const std::string& whose)
{
    const auto& rivals = standing.rivals;
    const std::size_t n = rivals.size() + 1;
    const std::size_t kept = std::max<std::size_t>(1, n / static_cast<std::size_t>(options.eta));
    if (rivals.size() < kept) return {};  // even the lowest is among the best
    const double threshold = rivals.at(rivals.size() - kept);
    if (rank >= threshold) return {};
    return place(rank, standing) + " isn't among the best " + shortest(kept) + " of " +
           shortest(n) + whose + ", which begin at " + rank_text(threshold);
}

/// Empty: it was better than before lately, or it is too early to say.
std::optional<std::string> impatience(const PrunerOptions& options, std::span<const double> ranks)
{
    const auto late = static_cast<std::size_t>(*options.patience) + 1;
    if (ranks.size() <= late) return {};
    const double before = std::ranges::max(ranks.first(ranks.size() - late));
    const double since = std::ranges::max(ranks.last(late));
    if (since == undefined ? before == undefined : !(before - options.min_delta > since)) return {};
    return "no better than " + rank_text(before) + " in the last " + shortest(late) +
           " rungs, whose best is " + rank_text(since);
}

std::optional<std::string> cut_by_kind(const PrunerOptions& options, const Standing& standing)
{
    const double rank = standing.ranks.back();
    switch (options.kind) {
        case PrunerKind::none:
        case PrunerKind::asha:
            break;
        case PrunerKind::median:
            return cut_below(options, standing, rank, 0.5, "the median");
        case PrunerKind::percentile:
            return cut_below(options, standing, rank, 1 - options.percentile / 100,
                             "the best " + shortest(options.percentile) + " %, from");
        case PrunerKind::threshold:
            return cut_outside(options, standing);
        case PrunerKind::halving:
            return cut_by_halving(options, standing, rank, "");
        case PrunerKind::hyperband:
            return cut_by_halving(options, standing, rank, " of its bracket");
    }
    return {};
}

}  // namespace

const std::vector<std::string>& pruner_names()
{
    static const std::vector<std::string> names{"none",    "median",    "percentile", "threshold",
                                                "halving", "hyperband", "asha"};
    return names;
}

std::string rank_text(double rank)
{
    return rank == undefined ? "undefined" : shortest(rank);
}

double rank_score(double score)
{
    return std::isfinite(score) ? score : undefined;
}

std::optional<std::string> cut(const PrunerOptions& options, const Standing& standing)
{
    if (standing.step < options.warmup) return {};
    if (!options.patience) return cut_by_kind(options, standing);
    const auto late = impatience(options, standing.ranks);
    if (!late || options.kind == PrunerKind::none)
        return late ? std::optional(place(standing.ranks.back(), standing) + ", " + *late) : late;
    auto cause = cut_by_kind(options, standing);
    if (cause) *cause += "; " + *late;
    return cause;
}

int first_cut_of(const PrunerOptions& options, std::size_t rungs, std::int64_t number)
{
    if (options.kind != PrunerKind::hyperband) return 0;
    const auto most = static_cast<int>(rungs) - 1;
    std::vector<double> shares;
    double all = 0, power = 1;
    for (int cuts = 0; cuts <= most; ++cuts, power *= options.eta) {
        shares.push_back(power / (cuts + 1));
        all += shares.back();
    }
    // The fractional parts of multiples of the golden ratio fill [0, 1) evenly from the first on.
    const auto turned = static_cast<std::uint64_t>(number + 1) * 0x9e3779b97f4a7c15u;
    double rest = static_cast<double>(turned >> 11) * 0x1.0p-53 * all;
    int cuts = most;
    for (; cuts > 0 && rest >= shares[static_cast<std::size_t>(cuts)]; --cuts)
        rest -= shares[static_cast<std::size_t>(cuts)];
    return most - cuts;
}

}  // namespace barsweep::search
