#include "sim/policy_run.hpp"

#include <stdexcept>

#include "device/launch.hpp"
#include "sim/metrics.hpp"

namespace barsweep::sim {
namespace {

using kernels::i64;

kernels::BacktestArgs run_args(const Market& market, const kernels::Rules& rules,
                               bars::Window window, kernels::BacktestTotals& totals)
{
    kernels::BacktestArgs args;
    args.ohlc = market.ohlc.read();
    args.open = market.open.read();
    args.close = market.close.read();
    args.sigma = market.sigma.read();
    args.rules = {&rules, 1};
    args.first = window.first;
    args.last = window.last;
    args.price_bound = market.price_bound;
    args.totals = {&totals, 1};
    return args;
}

kernels::i32 feature_count(const Policy& policy)
{
    return policy.shape.inputs() - kernels::account_feature_count(policy.view);
}

/// Whoever made the policy has told the user by now; this keeps a slip from reading past an end.
void check_shapes(const Market& market, const device::Buffer<float>& features, const Policy& policy,
                  const kernels::Rules& rules)
{
    const bool right =
        policy.shape.layers >= 1 && feature_count(policy) >= 0 &&
        static_cast<i64>(features.size()) == market.bars() * feature_count(policy) &&
        static_cast<i64>(policy.parameters.size()) == kernels::parameter_count(policy.shape) &&
        policy.head.outputs() == policy.shape.outputs() && policy.head.levels == rules.level_count;
    if (!right) throw std::logic_error("a policy that doesn't fit its bars, features or levels");
}

}  // namespace

BacktestResult run_policy(const Market& market, const device::Buffer<float>& features,
                          const Policy& policy, const kernels::Rules& rules, bars::Window window,
                          double ppy, std::vector<FillRow>* fills, Wanted* wanted)
{
    check_shapes(market, features, policy, rules);
    Wanted asked(static_cast<std::size_t>(window.bars() - 1));
    std::vector<float> scratch(static_cast<std::size_t>(kernels::policy_scratch(policy.shape)));
    BacktestResult result;
    kernels::PolicyBacktestArgs args;
    args.run = run_args(market, rules, window, result.totals);
    args.features = features.read();
    args.feature_count = feature_count(policy);
    args.view = policy.view;
    args.shape = policy.shape;
    args.head = policy.head;
    args.parameters = {policy.parameters.data(), static_cast<i64>(policy.parameters.size())};
    args.scratch = {scratch.data(), static_cast<i64>(scratch.size())};
    args.wanted = {asked.data(), static_cast<i64>(asked.size())};
    device::policy_backtest(device::Backend::cpu, args);

    if (fills != nullptr || result.totals.status != kernels::Status::good) {
        // The same levels once more: that run writes fills down, or names the bar that overflowed.
        result = run_backtest(market, rules, window, asked, ppy, fills);
    } else {
        auto metrics = metrics_of(result.totals, rules.initial, ppy);
        result.metrics = std::move(metrics.values);
        result.reasons = std::move(metrics.reasons);
    }
    if (wanted != nullptr) *wanted = std::move(asked);
    return result;
}

}  // namespace barsweep::sim
