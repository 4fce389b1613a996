#pragma once
#include "head.hpp"

namespace barsweep::kernels {

/// Loss of double DQN, row by row, and its gradient by the network's outputs. Rows are of outputs,
/// at the states or at the next states; where all levels are learned from, the next states are
/// [batch * levels] and so are rewards and discounts.
struct DqnLossArgs {
    Head head;
    bool squared = false;         ///< of plain values: error^2 / 2 instead of Huber's with beta 1
    Rows<const float> online;     ///< [batch] at the states
    Rows<const float> chooser;    ///< at the next states: of whom picks the next level
    Rows<const float> target;     ///< at the next states
    View<const float> rewards;    ///< [batch] or [batch, levels], scaled
    View<const float> discounts;  ///< the same; 0 where ruined; below 0: not known, left out
    View<const i32> actions;      ///< [batch]; empty: all levels
    View<const float> weights;    ///< [batch]; empty: 1
    Rows<float> delta;            ///< [batch] loss by outputs, padding 0: its sum over the batch
    View<float> losses;           ///< [batch] weighted; their sum is the batch's loss
    View<float> errors;           ///< [batch] what a priority is made of, see level_loss
};

/// One level of a row.
struct LevelLoss {
    float loss;
    float error;
};

/// Slope of the loss by a level's own number `atom`, to the outputs that it comes from.
BARSWEEP_HD constexpr void add_slope(const Head& head, i32 level, i32 atom, float slope,
                                     float* delta)
{
    delta[head.offset(level) + atom] += slope;
    if (!head.dueling) return;
    delta[atom] += slope;
    const float share = slope * (1 / static_cast<float>(head.levels));
    for (i32 b = 0; b < head.levels; ++b) delta[head.offset(b) + atom] -= share;
}

/// Huber's loss or the square's half of goal - value, and its slope by the value.
BARSWEEP_HD constexpr LevelLoss plain_loss(float value, float goal, bool squared, float& slope)
{
    const float error = value - goal;
    const float size = error < 0 ? -error : error;
    const bool near = squared || size < 1;
    slope = near ? error : error > 0 ? 1.0f : -1.0f;
    return {near ? 0.5f * error * error : size - 0.5f, size};
}

/// M. Bellemare, W. Dabney, R. Munos, "A distributional perspective on reinforcement learning",
/// ICML 2017, equation 7: the target's atoms, moved by reward and discount, onto the support.
BARSWEEP_HD constexpr void project(const Head& head, const float* p, float reward, float discount,
                                   float* projected)
{
    const float gap = head.gap();
    const i32 last = head.atoms - 1;
    for (i32 i = 0; i < head.atoms; ++i) projected[i] = 0;
    for (i32 i = 0; i < head.atoms; ++i) {
        const float atom = head.lowest + static_cast<float>(i) * gap;
        const float moved = reward + discount * atom;
        const float place = (moved - head.lowest) / gap;
        const float held =
            place > 0 ? (place < static_cast<float>(last) ? place : static_cast<float>(last))
                      : 0.0f;
        const i32 below = static_cast<i32>(held);
        const float upper = held - static_cast<float>(below);
        projected[below] += p[i] * (1 - upper);
        if (below < last) projected[below + 1] += p[i] * upper;
    }
}

/// Kullback-Leibler divergence of the projected target from the prediction (the paper's algorithm
/// 1, less the target's entropy, which no weight moves): loss and, as in M. Hessel et al.,
/// "Rainbow", AAAI 2018, what the priority is made of.
BARSWEEP_HD constexpr LevelLoss c51_loss(const Head& head, const float* logits, const float* goal,
                                         float* slopes)
{
    const float log_sum = probabilities_of(logits, head.atoms, slopes);
    float loss = 0;
    for (i32 i = 0; i < head.atoms; ++i) {
        const float m = goal[i];
        const float log_m = m > 0 ? static_cast<float>(log_of(double{m})) : 0.0f;
        loss += m * (log_m - (logits[i] - log_sum));
        slopes[i] -= m;
    }
    return {loss, loss > 0 ? loss : 0.0f};
}

/// W. Dabney et al., "Distributional reinforcement learning with quantile regression", AAAI 2018,
/// equations 9 and 10 with kappa 1: summed over own quantiles, the mean over the target's.
BARSWEEP_HD constexpr LevelLoss quantile_loss(const Head& head, const float* own, const float* goal,
                                              float* slopes)
{
    const float share = 1 / static_cast<float>(head.atoms);
    float loss = 0, losses[max_atoms] = {}, pulls[max_atoms] = {};
    for (i32 i = 0; i < head.atoms; ++i) {
        const float tau = (static_cast<float>(i) + 0.5f) * share;
        for (i32 j = 0; j < head.atoms; ++j) {
            const float u = goal[j] - own[i];
            const float size = u < 0 ? -u : u;
            const float weight = u < 0 ? 1 - tau : tau;
            losses[j] = weight * (size < 1 ? 0.5f * u * u : size - 0.5f);
            pulls[j] = weight * (size < 1 ? u : u > 0 ? 1.0f : -1.0f);
        }
        loss += sum_of(losses, head.atoms) * share;
        slopes[i] = -sum_of(pulls, head.atoms) * share;
    }
    return {loss, loss};
}

/// Level `level` of row i against what next row `next` promises. The error is |td| of a plain
/// value, the loss of a distribution.
BARSWEEP_HD constexpr LevelLoss level_loss(const DqnLossArgs& args, i64 i, i64 next, i32 level,
                                           float scale)
{
    const Head& head = args.head;
    const float reward = args.rewards[next];
    const float discount = args.discounts[next];
    if (discount < 0) return {0, 0};
    const i32 best = greedy_level(head, args.chooser[next]);
    float* delta = args.delta[i];
    if (head.distribution == Distribution::none) {
        const float goal = reward + discount * level_value(head, args.target[next], best);
        float slope = 0;
        const LevelLoss loss =
            plain_loss(level_value(head, args.online[i], level), goal, args.squared, slope);
        add_slope(head, level, 0, slope * scale, delta);
        return loss;
    }
    float own[max_atoms] = {}, goal[max_atoms] = {}, slopes[max_atoms] = {};
    level_numbers(head, args.online[i], level, own);
    level_numbers(head, args.target[next], best, goal);
    LevelLoss loss{};
    if (head.distribution == Distribution::c51) {
        float p[max_atoms] = {};
        probabilities_of(goal, head.atoms, p);
        project(head, p, reward, discount, goal);
        loss = c51_loss(head, own, goal, slopes);
    } else {
        for (i32 j = 0; j < head.atoms; ++j) goal[j] = reward + discount * goal[j];
        loss = quantile_loss(head, own, goal, slopes);
    }
    for (i32 j = 0; j < head.atoms; ++j) add_slope(head, level, j, slopes[j] * scale, delta);
    return loss;
}

/// The kernel: one row of the batch. The batch's loss is the mean over its rows, and over the
/// levels where all are learned from.
BARSWEEP_HD constexpr void dqn_loss_one(const DqnLossArgs& args, i64 i)
{
    const Head& head = args.head;
    const i64 batch = args.losses.size;
    float* delta = args.delta[i];
    for (i32 k = 0; k < padded(head.outputs()); ++k) delta[k] = 0;
    const float weight = args.weights.size != 0 ? args.weights[i] : 1.0f;
    if (args.actions.size != 0) {
        const float scale = weight / static_cast<float>(batch);
        const LevelLoss one = level_loss(args, i, i, args.actions[i], scale);
        args.losses[i] = one.loss * scale;
        args.errors[i] = one.error;
        return;
    }
    const float scale = weight / static_cast<float>(batch * head.levels);
    float loss = 0, error = 0;
    for (i32 level = 0; level < head.levels; ++level) {
        const LevelLoss one = level_loss(args, i, i * head.levels + level, level, scale);
        loss += one.loss;
        error += one.error;
    }
    args.losses[i] = loss * scale;
    args.errors[i] = error / static_cast<float>(head.levels);
}

}  // namespace barsweep::kernels
