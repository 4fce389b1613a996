#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search/rivals.hpp"

namespace barsweep::search {

enum class PrunerKind { none, median, percentile, threshold, halving, hyperband, asha };
const std::vector<std::string>& pruner_names();  ///< by PrunerKind

struct PrunerOptions {
    PrunerKind kind = PrunerKind::none;
    int eta = 3;              ///< halving, hyperband, asha: the best 1/eta of a rung go on; from 2
    int startup = 5;          ///< median, percentile: rivals with a score before any cut
    std::int64_t warmup = 0;  ///< steps before which nothing is cut
    double percentile = 25;   ///< of the rivals, how many go on, in percent
    double lower = -std::numeric_limits<double>::infinity();  ///< threshold: scores that go on lie
    double upper = std::numeric_limits<double>::infinity();   ///< between these, both included
    /// Rungs in a row that a trial may go without becoming better before `kind` may cut it (`none`:
    /// before it is cut); empty: not patient.
    std::optional<int> patience{};
    double min_delta = 0;  ///< what counts as better, at least
};

/// A score as pruners order it: higher is better, -infinity is an undefined score, below any other.
/// (A minimising study hands over negated scores.)
double rank_score(double score);

/// A trial at the end of a rung.
struct Standing {
    std::int64_t step = 0;
    std::span<const double> ranks{};  ///< its own, by rung, this one's last
    const Rivals& rivals;  ///< what others reported at this rung before it (of its bracket)
    double score = 0;      ///< as it was reported: threshold's
};

/// Whether the trial ends here.
/// - median: cut when below the median of the rivals (D. Golovin et al., "Google Vizier", KDD 2017,
///   3.2.2, on the score itself instead of its running average).
/// - percentile: cut when below the score that `percentile` percent of the rivals reach.
/// - threshold: cut when outside `lower` to `upper`, or undefined.
/// - halving: cut unless in the best max(1, floor(n/eta)) of the n scores of the rung so far, its
///   own among them (L. Li et al., "A system for massively parallel hyperparameter tuning", MLSys
///   2020, algorithm 2, without waiting). Equal to the last of those goes on.
/// - hyperband: halving among the trials of its bracket, from the bracket's first rung on
///   (`first_cut_of`).
/// - asha: never here: trials are paused and promoted (Promotions).
/// - patient: none of these while the trial was `min_delta` better than before within the last
///   `patience` + 1 rungs.
/// The answer, where it is a cut, is its cause for a person: step, score, rivals, threshold.
std::optional<std::string> cut(const PrunerOptions& options, const Standing& standing);

/// The first rung at which trial `number` may be cut: 0 but for Hyperband, whose bracket it names.
/// The brackets of 0 to rungs - 1 cuts share the trials as in L. Li et al., "Hyperband", JMLR 2018,
/// algorithm 1, c cuts as eta^c / (c + 1), spread evenly over the numbers.
int first_cut_of(const PrunerOptions& options, std::size_t rungs, std::int64_t number);

/// "undefined" of -infinity.
std::string rank_text(double rank);

}  // namespace barsweep::search
