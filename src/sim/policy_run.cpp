#include "sim/policy_run.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "device/launch.hpp"
#include "sim/metrics.hpp"

namespace barsweep::sim {
namespace {

using kernels::i64;

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

/// True where one launch can run both: all numbers of shape and head are the same.
bool alike(const Policy& a, const Policy& b)
{
    const auto numbers = [](const Policy& p) {
        return std::tuple(p.view, p.shape.layers, p.shape.activation, p.shape.layer_norm,
                          p.head.levels, p.head.dueling, p.head.distribution, p.head.atoms,
                          p.head.lowest, p.head.highest);
    };
    return numbers(a) == numbers(b) &&
           std::equal(a.shape.sizes, a.shape.sizes + a.shape.layers + 1, b.shape.sizes);
}

/// One launch. [accounts] of rules, totals, parameters and, where it has a size, wanted.
struct Launch {
    std::span<const kernels::Rules> rules;
    std::span<const float> parameters;
    std::span<kernels::BacktestTotals> totals;
    std::span<i64> wanted;
};

template <class T>
auto view_of(std::span<T> all)
{
    return kernels::View<T>{all.data(), static_cast<i64>(all.size())};
}

void launch(const Market& market, const device::Buffer<float>& features, const Policy& alike_all,
            bars::Window window, const Launch& launch)
{
    const auto accounts = launch.rules.size();
    std::vector<float> scratch(accounts *
                               static_cast<std::size_t>(kernels::policy_scratch(alike_all.shape)));
    kernels::PolicyBacktestArgs args;
    args.run.ohlc = market.ohlc.read();
    args.run.open = market.open.read();
    args.run.close = market.close.read();
    args.run.sigma = market.sigma.read();
    args.run.rules = view_of(launch.rules);
    args.run.first = window.first;
    args.run.last = window.last;
    args.run.price_bound = market.price_bound;
    args.run.totals = view_of(launch.totals);
    args.features = features.read();
    args.feature_count = feature_count(alike_all);
    args.view = alike_all.view;
    args.shape = alike_all.shape;
    args.head = alike_all.head;
    args.parameters = view_of(launch.parameters);
    args.scratch = view_of(std::span{scratch});
    args.wanted = view_of(launch.wanted);
    device::policy_backtest(device::Backend::cpu, args);
}

void take_metrics(BacktestResult& result, const kernels::Rules& rules, double ppy)
{
    if (result.totals.status != kernels::Status::good) return;
    auto metrics = metrics_of(result.totals, rules.initial, ppy);
    result.metrics = std::move(metrics.values);
    result.reasons = std::move(metrics.reasons);
}

}  // namespace

BacktestResult run_policy(const Market& market, const device::Buffer<float>& features,
                          const Policy& policy, const kernels::Rules& rules, bars::Window window,
                          double ppy, std::vector<FillRow>* fills, Wanted* wanted)
{
    check_shapes(market, features, policy, rules);
    Wanted asked(static_cast<std::size_t>(window.decisions()));
    BacktestResult result;
    launch(market, features, policy, window,
           {{&rules, 1}, policy.parameters, {&result.totals, 1}, asked});
    if (fills != nullptr || result.totals.status != kernels::Status::good) {
        // The same levels once more: that run writes fills down, or names the bar that overflowed.
        result = run_backtest(market, rules, window, asked, ppy, fills);
    } else {
        take_metrics(result, rules, ppy);
    }
    if (wanted != nullptr) *wanted = std::move(asked);
    return result;
}

std::vector<BacktestResult> run_policies(const Market& market,
                                         const device::Buffer<float>& features,
                                         std::span<const Entrant> entrants, bars::Window window,
                                         double ppy)
{
    std::vector<BacktestResult> results(entrants.size());
    std::vector<std::size_t> left(entrants.size());
    std::iota(left.begin(), left.end(), 0);
    while (!left.empty()) {
        const Policy& first = *entrants[left.front()].policy;
        const auto others = std::stable_partition(
            left.begin(), left.end(), [&](auto i) { return alike(first, *entrants[i].policy); });
        const std::vector<std::size_t> group{left.begin(), others};
        left.erase(left.begin(), others);

        std::vector<kernels::Rules> rules;
        std::vector<float> parameters;
        std::vector<kernels::BacktestTotals> totals(group.size());
        for (const auto i : group) {
            const auto& [policy, own_rules] = entrants[i];
            check_shapes(market, features, *policy, own_rules);
            rules.push_back(own_rules);
            parameters.insert(parameters.end(), policy->parameters.begin(),
                              policy->parameters.end());
        }
        launch(market, features, first, window, {rules, parameters, totals, {}});
        for (std::size_t k = 0; k < group.size(); ++k) {
            results[group[k]].totals = totals[k];
            take_metrics(results[group[k]], rules[k], ppy);
        }
    }
    return results;
}

}  // namespace barsweep::sim
