#pragma once
#include "backtest.hpp"
#include "head.hpp"
#include "network.hpp"
#include "observe.hpp"

namespace barsweep::kernels {

/// Accounts over one window of one market, each led by a network of its own, greedily.
struct PolicyBacktestArgs {
    BacktestArgs run;            ///< but for `wanted`, which isn't read
    View<const float> features;  ///< [store rows, feature_count], normalised
    i32 feature_count = 0;
    AccountView view = AccountView::full;
    MlpShape shape;  ///< of feature_count + account features to the head's outputs
    Head head;
    View<const float> parameters;  ///< [accounts, parameter_count]
    View<float> scratch;           ///< [accounts, policy_scratch]
    View<i64> wanted;              ///< [accounts, last - first] ppm asked for (out), or of size 0
};

/// Bars whose part of the first layer is made in one pass.
inline constexpr int bar_block = 32;

BARSWEEP_HD constexpr i64 policy_scratch(const MlpShape& shape)
{
    return bar_block * i64{padded(shape.sizes[1])} + work_stride(shape);
}

/// What the network wants at each close. Features stand before the account's part among the inputs,
/// so the first layer's sums over them don't wait for the account: they are made for a block of
/// bars, and going on from them is the order of a whole row.
template <class Multiply>
struct GreedyDecisions {
    const PolicyBacktestArgs& args;
    const float* parameters;
    float* bar_part;  ///< [bar_block, padded(sizes[1])]
    float* work;      ///< [work_stride]
    i64* wanted;      ///< [decisions], or null

    BARSWEEP_HD constexpr int quiet(const BacktestArgs&, const Rules&, const Account&, i64,
                                    int) const
    {
        return 0;
    }

    /// Called for every decision in turn.
    BARSWEEP_HD constexpr i64 level(const Rules& rules, const Account& account, i64 t) const
    {
        const i64 decision = t - args.run.first;
        if (decision % bar_block == 0) read_bars(t);
        float seen[max_account_features] = {};
        account_features(rules, account, args.run.close[t], args.run.sigma[t], args.view, seen);
        evaluate(seen, bar_part + decision % bar_block * padded(args.shape.sizes[1]));
        const float* values = outputs_of(args.shape, work)[0];
        const i64 level = rules.levels_ppm[greedy_level(args.head, values)];
        if (wanted != nullptr) wanted[decision] = level;
        return level;
    }

private:
    BARSWEEP_HD constexpr void read_bars(i64 t) const
    {
        const i64 left = args.run.last - t;
        const i64 count = left < bar_block ? left : bar_block;
        Product bars = affine_of(args.shape, parameters, 0,
                                 {args.features.data + t * args.feature_count, args.feature_count},
                                 {bar_part, padded(args.shape.sizes[1])}, count);
        bars.steps = args.feature_count;
        bars.end = End::plain;
        Multiply::run(bars);
    }

    BARSWEEP_HD constexpr void evaluate(const float* seen, const float* start) const
    {
        const MlpShape& shape = args.shape;
        Product account = affine_of(shape, parameters, 0, {seen, 0},
                                    {work + affine_into(shape, 0), work_stride(shape)}, 1);
        account.start = {start, 0};
        account.b.data += args.feature_count * account.b.stride;
        account.steps -= args.feature_count;
        Multiply::run(account);
        const ForwardArgs row = {shape,
                                 {parameters, parameter_count(shape)},
                                 {nullptr, 0},
                                 1,
                                 {work, work_stride(shape)}};
        finish(row, 0);
        forward_from<Multiply>(row, 1);
    }
};

/// The kernel: one account.
template <class Multiply>
BARSWEEP_HD constexpr void policy_backtest_one(const PolicyBacktestArgs& args, i64 i)
{
    const MlpShape& shape = args.shape;
    const i64 decisions = args.run.last - args.run.first;
    float* const bar_part = args.scratch.data + i * policy_scratch(shape);
    run_account(args.run, i,
                GreedyDecisions<Multiply>{
                    args, args.parameters.data + i * parameter_count(shape), bar_part,
                    bar_part + bar_block * i64{padded(shape.sizes[1])},
                    args.wanted.size == 0 ? nullptr : args.wanted.data + i * decisions},
                NoFills{});
}

}  // namespace barsweep::kernels
