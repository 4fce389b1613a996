#pragma once
#include "act.hpp"
#include "backtest.hpp"
#include "mlp.hpp"
#include "observe.hpp"

namespace barsweep::kernels {

/// Accounts over one window of one market, each led by a network of its own, greedily.
struct PolicyBacktestArgs {
    BacktestArgs run;            ///< but for `wanted`, which isn't read
    View<const float> features;  ///< [store rows, feature_count], normalised
    i32 feature_count = 0;
    AccountView view = AccountView::full;
    MlpShape shape;                ///< of feature_count + account features to the levels
    View<const float> parameters;  ///< [accounts, parameter_count]
    View<float> scratch;           ///< [accounts, policy_scratch]
    View<i64> wanted;              ///< [accounts, last - first] ppm asked for (out), or of size 0
};

/// Bars whose part of the first layer is made in one pass.
inline constexpr int bar_block = 32;

BARSWEEP_HD constexpr i64 policy_scratch(const MlpShape& shape)
{
    return bar_block * i64{shape.sizes[1]} + shape.outputs() + mlp_scratch(shape);
}

/// What the network wants at each close. Features stand before the account's part among the inputs,
/// so the first layer's sums over them don't wait for the account: they are made for a block of
/// bars, and going on from them is the order of `mlp_row`.
struct GreedyDecisions {
    const PolicyBacktestArgs& args;
    const float* parameters;
    float* bar_part;  ///< [bar_block, sizes[1]]
    float* values;    ///< [outputs]
    float* scratch;   ///< [mlp_scratch]
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
        evaluate(seen, bar_part + decision % bar_block * args.shape.sizes[1]);
        const i64 level = rules.levels_ppm[first_largest(values, args.shape.outputs())];
        if (wanted != nullptr) wanted[decision] = level;
        return level;
    }

private:
    template <int rows>
    BARSWEEP_HD constexpr void read_rows(i64 t, i64 at) const
    {
        const i32 width = args.shape.sizes[1];
        affine<rows>({{args.features.data + (t + at) * args.feature_count, args.feature_count},
                      {parameters + bias_offset(args.shape, 0), 0},
                      parameters,
                      {bar_part + at * width, width},
                      args.feature_count,
                      width,
                      false});
    }

    BARSWEEP_HD constexpr void read_bars(i64 t) const
    {
        const i64 left = args.run.last - t;
        const i64 count = left < bar_block ? left : bar_block;
        i64 at = 0;
        for (; at + 4 <= count; at += 4) read_rows<4>(t, at);
        for (; at < count; ++at) read_rows<1>(t, at);
    }

    BARSWEEP_HD constexpr void evaluate(const float* seen, const float* start) const
    {
        const MlpShape& shape = args.shape;
        const bool last = shape.layers == 1;
        const i32 width = shape.sizes[1];
        float* const out = last ? values : scratch;
        const i32 count = shape.inputs() - args.feature_count;
        affine<1>({{seen, count},
                   {start, width},
                   parameters + i64{args.feature_count} * width,
                   {out, width},
                   count,
                   width,
                   !last});
        if (!last) {
            mlp_layers<1>(shape, 1, parameters, {out, width}, {values, shape.outputs()}, scratch);
        }
    }
};

/// The kernel: one account.
BARSWEEP_HD constexpr void policy_backtest_one(const PolicyBacktestArgs& args, i64 i)
{
    const MlpShape& shape = args.shape;
    const i64 decisions = args.run.last - args.run.first;
    float* const bar_part = args.scratch.data + i * policy_scratch(shape);
    float* const values = bar_part + bar_block * i64{shape.sizes[1]};
    run_account(args.run, i,
                GreedyDecisions{args, args.parameters.data + i * parameter_count(shape), bar_part,
                                values, values + shape.outputs(),
                                args.wanted.size == 0 ? nullptr : args.wanted.data + i * decisions},
                NoFills{});
}

}  // namespace barsweep::kernels
