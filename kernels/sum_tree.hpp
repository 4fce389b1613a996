#pragma once
#include "math.hpp"
#include "philox.hpp"

namespace barsweep::kernels {

/// Priorities of a replay ring (T. Schaul et al., "Prioritized experience replay", ICLR 2016) as
/// whole numbers, so that their sums are exact in any order and on any device. `tree` has
/// sum_tree_size(capacity) nodes: node 1 is the sum of all, 2n and 2n + 1 are below n, the last
/// half are the slots.
BARSWEEP_HD constexpr i64 sum_tree_size(i64 capacity)
{
    i64 width = 1;
    while (width < capacity) width *= 2;
    return 2 * width;
}

inline constexpr double priority_one = 0x1p20;  ///< a priority of 1 as a whole number
inline constexpr double priority_floor = 1e-6;  ///< the paper's eps: none is never drawn

/// (|error| + eps)^exponent, the paper's equation 1, at least 1 and small enough for a full tree.
BARSWEEP_HD constexpr u64 whole_priority(double error, double exponent, i64 tree_size)
{
    const double most = 0x1p63 / static_cast<double>(tree_size);
    const double exact = priority_one * power_of(error + priority_floor, exponent);
    return exact < 1 ? 1 : exact < most ? static_cast<u64>(exact) : static_cast<u64>(most);
}

BARSWEEP_HD constexpr u64 priority_at(View<const u64> tree, i64 slot)
{
    return tree[tree.size / 2 + slot];
}

BARSWEEP_HD constexpr void set_priority(View<u64> tree, i64 slot, u64 priority)
{
    i64 node = tree.size / 2 + slot;
    const u64 change = priority - tree[node];  // modulo 2^64, as the sums
    for (; node > 0; node /= 2) tree[node] += change;
}

/// The slot in whose part of the sum 0..tree[1]-1 `point` lies.
BARSWEEP_HD constexpr i64 slot_at(View<const u64> tree, u64 point)
{
    i64 node = 1;
    while (node < tree.size / 2) {
        node *= 2;
        const u64 left = tree[node];
        const bool right = point >= left;
        point -= right ? left : 0;
        node += right ? 1 : 0;
    }
    return node - tree.size / 2;
}

/// Draws the slots of a minibatch: all alike where there is no tree, else one from each of `batch`
/// equal parts of the sum (the paper's appendix B.2.1).
struct DrawArgs {
    View<const u64> tree;  ///< empty: no priorities
    i64 filled = 0;        ///< slots 0 to this - 1 hold something
    u64 key = 0;           ///< of the trial
    u64 number = 0;        ///< updates before this one
    View<i64> picks;       ///< [batch]
    View<u64> drawn;       ///< [batch] priorities of the picks; empty without a tree
};

/// Purpose::replay_picks of base/random.hpp: block i of the stream (key, number).
inline constexpr u32 replay_purpose = 7;

/// The kernel: one pick. A slot's probability is off by less than 2^-64 of the whole.
BARSWEEP_HD constexpr void draw_one(const DrawArgs& args, i64 i)
{
    const PhiloxCounter words =
        philox4x32({static_cast<u32>(i), replay_purpose, static_cast<u32>(args.number),
                    static_cast<u32>(args.number >> 32)},
                   {static_cast<u32>(args.key), static_cast<u32>(args.key >> 32)});
    const u64 chance = u64{words.y} << 32 | words.x;
    if (args.tree.size == 0) {
        args.picks[i] = static_cast<i64>(i128{chance} * args.filled >> 64);
        return;
    }
    const i128 sum = args.tree[1];  // below 2^63, times a batch: below 2^80
    const u64 low = static_cast<u64>(sum * i / args.picks.size);
    const u64 high = static_cast<u64>(sum * (i + 1) / args.picks.size);
    const u64 point = low + static_cast<u64>(i128{chance} * (high - low) >> 64);
    args.picks[i] = slot_at(args.tree, point < sum ? point : args.tree[1] - 1);
    args.drawn[i] = priority_at(args.tree, args.picks[i]);
}

/// Importance weights (N P(i))^-beta over the largest of the batch: (smallest / own priority)^beta.
struct WeighArgs {
    View<const u64> drawn;  ///< [batch]
    double correction = 0;  ///< beta
    View<float> weights;    ///< [batch]
};

/// The kernel: one weight.
BARSWEEP_HD constexpr void weigh_one(const WeighArgs& args, i64 i)
{
    u64 least = args.drawn[0];
    for (i64 j = 1; j < args.drawn.size; ++j) least = args.drawn[j] < least ? args.drawn[j] : least;
    const double share = static_cast<double>(least) / static_cast<double>(args.drawn[i]);
    args.weights[i] = static_cast<float>(power_of(share, args.correction));
}

/// Priorities of what an update saw, or, without errors, of what is new: the largest so far.
struct PrioritiseArgs {
    View<u64> tree;
    View<u64> largest;         ///< [1] of all priorities so far
    View<const i64> picks;     ///< [batch]
    View<const float> errors;  ///< [batch], from 0 up
    double exponent = 0;       ///< alpha
    i64 first = 0;             ///< without picks: slots (first + 0..count-1) mod capacity
    i64 count = 0;
    i64 capacity = 0;
};

/// The kernel: a whole minibatch or lock-step, in order, since the slots share their sums.
BARSWEEP_HD constexpr void prioritise_one(const PrioritiseArgs& args)
{
    for (i64 i = 0; i < args.picks.size; ++i) {
        const u64 priority = whole_priority(double{args.errors[i]}, args.exponent, args.tree.size);
        args.largest[0] = priority > args.largest[0] ? priority : args.largest[0];
        set_priority(args.tree, args.picks[i], priority);
    }
    for (i64 i = 0; i < args.count; ++i) {
        set_priority(args.tree, (args.first + i) % args.capacity, args.largest[0]);
    }
}

}  // namespace barsweep::kernels
