#pragma once
#include "math.hpp"
#include "mlp_shape.hpp"

namespace barsweep::kernels {

enum class Distribution : i32 { none, c51, quantile };

inline constexpr int max_atoms = 256;

/// How a network's outputs become a value a level. Plain: output a is the value of level a (of a
/// PPO actor: its logit). Outputs in order: where dueling, the state's value first, atoms wide,
/// then the levels, atoms wide each.
struct Head {
    i32 levels = 0;
    bool dueling = false;  ///< Z. Wang et al., ICML 2016, equation 9 (the mean is taken off)
    Distribution distribution = Distribution::none;
    i32 atoms = 1;     ///< 1 without a distribution
    float lowest = 0;  ///< support of C51 (M. Bellemare et al., ICML 2017), in scaled reward
    float highest = 0;

    BARSWEEP_HD constexpr i32 outputs() const { return (levels + (dueling ? 1 : 0)) * atoms; }

    /// Where the outputs of a level begin.
    BARSWEEP_HD constexpr i32 offset(i32 level) const
    {
        return (level + (dueling ? 1 : 0)) * atoms;
    }

    /// Between neighbours of the support.
    BARSWEEP_HD constexpr float gap() const
    {
        return (highest - lowest) / static_cast<float>(atoms - 1);
    }
};

/// Sum of a row: sixteen sums side by side, then those ascending, one order whatever the vectors.
BARSWEEP_HD constexpr float sum_of(const float* row, i32 count)
{
    constexpr i32 side = 16;
    float sums[side] = {};
    i32 i = 0;
    for (; i + side <= count; i += side) {
        for (i32 j = 0; j < side; ++j) sums[j] += row[i + j];
    }
    for (i32 j = 0; i + j < count; ++j) sums[j] += row[i + j];
    float total = 0;
    for (const float sum : sums) total += sum;
    return total;
}

/// A level's own number `atom` out of a row of outputs, dueling or not.
BARSWEEP_HD constexpr float level_number(const Head& head, const float* outputs, i32 level,
                                         i32 atom)
{
    const float own = outputs[head.offset(level) + atom];
    if (!head.dueling) return own;
    float sum = 0;
    for (i32 b = 0; b < head.levels; ++b) sum += outputs[head.offset(b) + atom];
    return outputs[atom] + (own - sum * (1 / static_cast<float>(head.levels)));
}

/// All of them: a level's quantiles, or the logits of its atoms. [atoms]
BARSWEEP_HD constexpr void level_numbers(const Head& head, const float* outputs, i32 level,
                                         float* numbers)
{
    const float* own = outputs + head.offset(level);
    if (!head.dueling) {
        for (i32 i = 0; i < head.atoms; ++i) numbers[i] = own[i];
        return;
    }
    const float share = 1 / static_cast<float>(head.levels);
    for (i32 i = 0; i < head.atoms; ++i) numbers[i] = 0;
    for (i32 b = 0; b < head.levels; ++b) {
        const float* other = outputs + head.offset(b);
        for (i32 i = 0; i < head.atoms; ++i) numbers[i] += other[i];
    }
    for (i32 i = 0; i < head.atoms; ++i) numbers[i] = outputs[i] + (own[i] - numbers[i] * share);
}

/// Logits become probabilities, the largest logit taken off first. Returns log of the sum of e^x,
/// so that the log of a probability is its logit less this.
BARSWEEP_HD constexpr float probabilities_of(const float* logits, i32 count, float* p)
{
    float largest = logits[0];
    for (i32 i = 1; i < count; ++i) largest = logits[i] > largest ? logits[i] : largest;
    for (i32 i = 0; i < count; ++i) p[i] = exp_of(logits[i] - largest);
    const float sum = sum_of(p, count);
    for (i32 i = 0; i < count; ++i) p[i] /= sum;
    return largest + static_cast<float>(log_of(double{sum}));
}

/// What a level is worth: the mean of its distribution where it has one.
BARSWEEP_HD constexpr float level_value(const Head& head, const float* outputs, i32 level)
{
    if (head.distribution == Distribution::none) return level_number(head, outputs, level, 0);
    float numbers[max_atoms] = {};
    level_numbers(head, outputs, level, numbers);
    if (head.distribution == Distribution::quantile) {
        return sum_of(numbers, head.atoms) / static_cast<float>(head.atoms);
    }
    probabilities_of(numbers, head.atoms, numbers);
    const float gap = head.gap();
    for (i32 i = 0; i < head.atoms; ++i) numbers[i] *= head.lowest + static_cast<float>(i) * gap;
    return sum_of(numbers, head.atoms);
}

/// The level of the largest value, the first of equal ones.
BARSWEEP_HD constexpr i32 greedy_level(const Head& head, const float* outputs)
{
    i32 best = 0;
    float most = level_value(head, outputs, 0);
    for (i32 level = 1; level < head.levels; ++level) {
        const float value = level_value(head, outputs, level);
        best = value > most ? level : best;
        most = value > most ? value : most;
    }
    return best;
}

}  // namespace barsweep::kernels
