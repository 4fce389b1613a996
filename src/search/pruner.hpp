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
    int eta = 3;               ///< halving: the best 1/eta of a rung go on
    int startup = 5;           ///< median: rivals that must have a score at the rung before any cut
    std::int64_t warmup = 0;   ///< steps before which nothing is cut
};

/// Whether a trial whose score at `step` is `score` ends here. `rivals`: the scores that other
/// trials reported at the same rung before it (NaN: undefined, worse than any number), in report
/// order. Higher is better (a minimising study hands over negated scores).
/// - median: cut when below the median of the rivals (M. Golovin et al., "Google Vizier", 2017, 3.2.2).
/// - halving: cut unless in the best 1/eta of the rung so far, itself included (L. Li et al., "A
///   system for massively parallel hyperparameter tuning", MLSys 2020, algorithm 2, without waiting).
/// The answer, where it is a cut, is its cause for a person: rung, score, rivals, threshold.
std::optional<std::string> cut(const PrunerOptions& options, std::int64_t step, double score,
                               const std::vector<double>& rivals);

}  // namespace barsweep::search
