#include "sim/trace.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace barsweep::sim {
namespace {

using kernels::i64;

/// Fields of one row side by side; keeps the first that differs.
class RowComparison {
public:
    explicit RowComparison(std::int64_t row) : row_{row} {}

    void integer(const char* field, i64 recorded, i64 computed)
    {
        if (recorded != computed) differ(field, fmt::to_string(recorded), fmt::to_string(computed));
    }

    void real(const std::string& field, float recorded, float computed, bool one_ulp = false)
    {
        const bool near =
            one_ulp && std::nextafter(recorded, computed) == computed && std::isfinite(computed);
        if (recorded == computed || near) return;
        differ(field, fmt::format("{:.9g}", recorded), fmt::format("{:.9g}", computed));
    }

    std::optional<TraceDifference> first() const { return first_; }

private:
    void differ(const std::string& field, std::string recorded, std::string computed)
    {
        if (!first_) first_ = {row_, field, std::move(recorded), std::move(computed)};
    }

    std::int64_t row_;
    std::optional<TraceDifference> first_;
};

std::optional<TraceDifference> compare(std::int64_t at, const TraceRow& recorded,
                                       const TraceRow& computed, bool logarithmic)
{
    RowComparison row{at};
    for (std::size_t i = 0; i < recorded.seen.size(); ++i) {
        row.real(fmt::format("seen[{}]", i), recorded.seen[i], computed.seen[i]);
    }
    row.integer("label", recorded.label, computed.label);
    row.integer("terminated", recorded.terminated, computed.terminated);
    row.integer("cash", recorded.after.cash, computed.after.cash);
    row.integer("lots", recorded.after.lots, computed.after.lots);
    row.integer("basis", recorded.after.basis, computed.after.basis);
    row.integer("costs", recorded.after.costs, computed.after.costs);
    row.integer("peak", recorded.after.peak, computed.after.peak);
    row.integer("upper", recorded.after.upper, computed.after.upper);
    row.integer("lower", recorded.after.lower, computed.after.lower);
    row.integer("age", recorded.after.age, computed.after.age);
    row.integer("level", recorded.after.level, computed.after.level);
    row.integer("realised", recorded.after.realised, computed.after.realised);
    row.integer("equity", recorded.equity, computed.equity);
    row.real("reward", recorded.reward, computed.reward, logarithmic);
    return row.first();
}

/// A run of a trace, row by row.
struct Replay {
    const Trace& trace;
    kernels::Account account = fresh_account(trace.rules);
    kernels::RewardStats stats{};

    /// Nothing where the account overflows.
    std::optional<TraceRow> step(std::size_t t)
    {
        TraceRow row;
        const auto sigma = trace.sigma_ppb[t];
        const auto wanted = trace.rules.levels_ppm[trace.actions[t]];
        account_features(trace.rules, account, trace.bars[t].close, sigma,
                         kernels::AccountView::full, row.seen.data());
        const auto step = advance(trace.rules, account, trace.bars[t], trace.bars[t + 1], sigma,
                                  wanted, kernels::NoSink{});
        if (step.status != kernels::Status::good) return std::nullopt;
        row.reward = reward_of(trace.reward, step, account.peak, stats);
        row.label = static_cast<i64>(step.label);
        row.terminated = step.terminated;
        row.after = account;
        row.equity = step.equity;
        return row;
    }
};

}  // namespace

std::optional<TraceDifference> compare_trace(const Trace& trace)
{
    const bool logarithmic = trace.reward.kind == kernels::RewardKind::logarithmic;
    Replay replay{trace};
    for (std::size_t t = 0; t + 1 < trace.bars.size(); ++t) {
        const auto at = static_cast<std::int64_t>(t);
        const auto row = replay.step(t);
        if (!row) return TraceDifference{at, "status", "good", "overflow"};
        if (t >= trace.rows.size()) return TraceDifference{at, "row", "none", "one more"};
        if (auto difference = compare(at, trace.rows[t], *row, logarithmic)) return difference;
        if (row->terminated || t + 2 == trace.bars.size()) {
            if (trace.rows.size() == t + 1) return std::nullopt;
            return TraceDifference{at + 1, "row", "one more", "none"};
        }
    }
    return std::nullopt;
}

}  // namespace barsweep::sim
