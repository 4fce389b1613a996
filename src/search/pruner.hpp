#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/trial.hpp"

namespace barsweep::search {

enum class PrunerKind { none, median, halving };

struct PrunerOptions {
    PrunerKind kind = PrunerKind::none;
    int eta = 3;              ///< halving: the best 1/eta of a rung go on; at least 2
    int startup = 5;          ///< median: rivals that must have a score at the rung before any cut
    std::int64_t warmup = 0;  ///< steps before which nothing is cut
};

/// A score as pruners order it: higher is better, -infinity is an undefined score, below any other.
/// (A minimising study hands over negated scores.)
double rank_score(double score);

/// Whether a trial whose score at `step` is `score` ends here. `rivals`: what other trials reported
/// at the same rung before it, as rank_score, ascending (so that a cut costs no sort).
/// - median: cut when below the median of the rivals (D. Golovin et al., "Google Vizier", KDD 2017,
///   3.2.2, on the score itself instead of its running average).
/// - halving: cut unless in the best max(1, floor(n/eta)) of the n scores of the rung so far, its
/// own
///   among them (L. Li et al., "A system for massively parallel hyperparameter tuning", MLSys 2020,
///   algorithm 2, without waiting). Equal to the last of those goes on.
/// The answer, where it is a cut, is its cause for a person: step, score, rivals, threshold.
std::optional<std::string> cut(const PrunerOptions& options, std::int64_t step, double score,
                               const std::vector<double>& rivals);

}  // namespace barsweep::search
