#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/observe.hpp"
#include "kernels/reward.hpp"

namespace barsweep::sim {

/// A step of a recorded account: what was seen before it, what came of it.
struct TraceRow {
    std::array<float, kernels::max_account_features> seen{};
    float reward = 0;
    kernels::i64 label = 0;
    bool terminated = false;
    kernels::Account after;
    kernels::i64 equity = 0;  ///< tick*lot
};

/// A recorded run: its inputs and every row. Made by the reference account (`--trace`).
struct Trace {
    kernels::Rules rules;
    kernels::RewardRules reward;
    std::vector<kernels::Bar> bars;
    std::vector<kernels::i64> actions;    ///< [bars] index into rules.levels_ppm
    std::vector<kernels::i64> sigma_ppb;  ///< [bars]
    std::vector<TraceRow> rows;           ///< [at most bars - 1] ends at ruin
};

/// Reads the JSON text of a trace. Throws UserError naming `where` and the field that is missing,
/// of another kind or out of bounds.
Trace read_trace(const std::string& text, const std::string& where);

/// The first field that differs.
struct TraceDifference {
    std::int64_t row;
    std::string field;
    std::string recorded, computed;
};

/// Runs the account over the trace. Integers, observations and rewards must be equal to the last
/// bit, rewards by a logarithm within one float of each other.
std::optional<TraceDifference> compare_trace(const Trace& trace);

}  // namespace barsweep::sim
