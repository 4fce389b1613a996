#pragma once
#include "account.hpp"
#include "math.hpp"

namespace barsweep::kernels {

enum class RewardKind : i32 { relative, logarithmic };  ///< (E'-E)/E, log(E'/E)

struct RewardRules {
    RewardKind kind = RewardKind::relative;
    double barrier_weight = 0;   ///< added, times the label, for +1 and -1
    double drawdown_weight = 0;  ///< taken, times the increase of drawdown
    bool normalise = false;      ///< divided by the running standard deviation, clipped at 10
};

/// Running moments of the raw reward. B. P. Welford, "Note on a method for calculating corrected
/// sums of squares and products", Technometrics 4(3), 1962.
struct RewardStats {
    i64 count = 0;
    double mean = 0;
    double m2 = 0;
};

BARSWEEP_HD constexpr double fall(i64 peak, i64 equity)
{
    return ratio(i128{peak} - equity, peak);
}

/// SEMANTICS 2, part 4, before scaling. `peak` is the account's after the step.
BARSWEEP_HD constexpr double raw_reward(const RewardRules& rules, const Step& step, i64 peak)
{
    double raw = 0;
    if (rules.kind == RewardKind::relative) {
        raw = ratio(i128{step.equity} - step.before, step.before);
    } else {
        raw = log_of(step.equity > 0 ? ratio(step.equity, step.before) : 1e-9);
    }
    const int label = step.label == Label::target ? 1 : step.label == Label::stop ? -1 : 0;
    raw += rules.barrier_weight * label;
    const double deeper = fall(peak, step.equity) - fall(step.peak_before, step.before);
    raw -= rules.drawdown_weight * (deeper > 0 ? deeper : 0.0);
    return raw;
}

/// The reward of one step as it is stored, and the statistics moved on by it.
BARSWEEP_HD constexpr float reward_of(const RewardRules& rules, const Step& step, i64 peak,
                                      RewardStats& stats)
{
    const double raw = raw_reward(rules, step, peak);
    ++stats.count;
    const double delta = raw - stats.mean;
    stats.mean += delta / static_cast<double>(stats.count);
    stats.m2 += delta * (raw - stats.mean);
    if (!rules.normalise) return static_cast<float>(raw);

    const double sd =
        stats.count > 1 ? square_root(stats.m2 / static_cast<double>(stats.count - 1)) : 1.0;
    const double scaled = raw / (sd > 1e-8 ? sd : 1e-8);
    return static_cast<float>(scaled > 10 ? 10 : scaled < -10 ? -10 : scaled);
}

}  // namespace barsweep::kernels
