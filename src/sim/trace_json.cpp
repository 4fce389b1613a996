#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "sim/trace.hpp"

namespace barsweep::sim {
namespace {

using kernels::i64;
using nlohmann::json;

/// An object of the trace, for reading its fields by name.
struct Fields {
    const json& object;
    const std::string& where;
    std::string path;  ///< of the object in the file: "rules.", "rows[3]."

    [[noreturn]] void refuse(const std::string& name, const std::string& expected,
                             const std::string& found) const
    {
        throw UserError({where, path + name + " as " + expected, found,
                         "record the trace again with account.py --trace"});
    }

    const json& at(const std::string& name, const std::string& expected,
                   bool (json::*is)() const) const
    {
        const auto found = object.find(name);
        if (found == object.end()) refuse(name, expected, "no such field");
        if (!((*found).*is)()) refuse(name, expected, found->dump());
        return *found;
    }

    i64 integer(const std::string& name) const
    {
        const auto& value = at(name, "an int64", &json::is_number);
        if (!is_int64(value)) refuse(name, "an int64", value.dump());
        return value.get<i64>();
    }

    double real(const std::string& name) const
    {
        return at(name, "a number", &json::is_number).get<double>();
    }

    bool truth(const std::string& name) const
    {
        return at(name, "true or false", &json::is_boolean).get<bool>();
    }

    /// Index of the text among `words`.
    int word(const std::string& name, const std::vector<std::string>& words) const
    {
        const auto text = at(name, "a word", &json::is_string).get<std::string>();
        const auto found = std::find(words.begin(), words.end(), text);
        if (found == words.end()) {
            refuse(name, fmt::format("one of {}", fmt::join(words, ", ")), "'" + text + "'");
        }
        return static_cast<int>(found - words.begin());
    }

    const json& array(const std::string& name) const
    {
        return at(name, "an array", &json::is_array);
    }

    std::vector<i64> integers(const std::string& name) const
    {
        std::vector<i64> values;
        for (const auto& value : array(name)) {
            if (!is_int64(value)) refuse(name, "an array of int64", value.dump());
            values.push_back(value.get<i64>());
        }
        return values;
    }

    static bool is_int64(const json& value)
    {
        return value.is_number_integer() &&
               !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
    }
};

kernels::Rules read_rules(const Fields& from)
{
    kernels::Rules rules;
    const auto levels = from.integers("levels_ppm");
    if (levels.size() < 2 || levels.size() > kernels::max_levels) {
        from.refuse("levels_ppm", "2 to 16 levels", std::to_string(levels.size()));
    }
    std::copy(levels.begin(), levels.end(), rules.levels_ppm);
    rules.level_count = static_cast<i64>(levels.size());
    rules.initial = from.integer("initial");
    rules.half_spread_nanoticks = from.integer("half_spread_nanoticks");
    rules.rate_ppb = from.integer("rate_ppb");
    rules.reserve_ppm = from.integer("reserve_ppm");
    rules.unit_lots = from.integer("unit_lots");
    rules.fill = kernels::Fill{from.word("fill", {"next_open", "close"})};
    rules.barrier = kernels::Barrier{from.word("barrier", {"off", "label", "exit"})};
    rules.target_ppm = from.integer("target_ppm");
    rules.stop_ppm = from.integer("stop_ppm");
    rules.hold_bars = from.integer("hold_bars");
    rules.target_through = from.integer("target_through");
    rules.stop_slippage = from.integer("stop_slippage");
    rules.reentry = kernels::Reentry{from.word("reentry", {"level_change", "any"})};
    rules.carry_long_ppb = from.integer("carry_long_ppb");
    rules.carry_short_ppb = from.integer("carry_short_ppb");
    rules.ruin_ppm = from.integer("ruin_ppm");
    if (!within_bounds(rules)) from.refuse("", "rules within kernels/rules.hpp's bounds", "others");
    return rules;
}

kernels::RewardRules read_reward(const Fields& from)
{
    return {kernels::RewardKind{from.word("reward", {"return", "log"})},
            from.real("barrier_weight"), from.real("drawdown_weight"), from.truth("normalise")};
}

TraceRow read_row(const Fields& from)
{
    TraceRow row;
    const auto& seen = from.array("seen");
    if (seen.size() != row.seen.size()) from.refuse("seen", "8 numbers", seen.dump());
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (!seen[i].is_number()) from.refuse("seen", "8 numbers", seen.dump());
        row.seen[i] = seen[i].get<float>();
    }
    row.reward = static_cast<float>(from.real("reward"));
    row.label = from.integer("label");
    row.terminated = from.truth("terminated");
    row.after = {from.integer("cash"),    from.integer("lots"), from.integer("basis"),
                 from.integer("costs"),   from.integer("peak"), from.integer("upper"),
                 from.integer("lower"),   from.integer("age"),  from.integer("level"),
                 from.integer("realised")};
    row.equity = from.integer("equity");
    return row;
}

std::vector<kernels::Bar> read_bars(const Fields& from)
{
    std::vector<kernels::Bar> bars;
    for (const auto& bar : from.array("bars")) {
        const bool good = bar.is_array() && bar.size() == 4 &&
                          std::all_of(bar.begin(), bar.end(), Fields::is_int64);
        if (!good) from.refuse("bars", "arrays of four int64", bar.dump());
        bars.push_back(
            {bar[0].get<i64>(), bar[1].get<i64>(), bar[2].get<i64>(), bar[3].get<i64>()});
    }
    return bars;
}

void check_lengths(const Fields& from, const Trace& trace)
{
    const auto bars = trace.bars.size();
    if (bars < 2) from.refuse("bars", "two bars or more", std::to_string(bars));
    if (trace.actions.size() < bars - 1) from.refuse("actions", "one a decision", "fewer");
    if (trace.sigma_ppb.size() < bars - 1) from.refuse("sigma_ppb", "one a decision", "fewer");
    if (trace.rows.empty()) from.refuse("rows", "one or more", "none");
    for (const auto action : trace.actions) {
        if (action < 0 || action >= trace.rules.level_count) {
            from.refuse("actions", "indices into levels_ppm", std::to_string(action));
        }
    }
}

}  // namespace

Trace read_trace(const std::string& text, const std::string& where)
{
    const auto root = json::parse(text, nullptr, false);
    if (!root.is_object()) {
        throw UserError({where, "a trace as a JSON object", "no JSON object",
                         "record one with account.py --trace SEED BARS"});
    }
    const Fields top{root, where, {}};
    const Fields rules{top.at("rules", "an object", &json::is_object), where, "rules."};
    Trace trace;
    trace.rules = read_rules(rules);
    trace.reward = read_reward(rules);
    trace.bars = read_bars(top);
    trace.actions = top.integers("actions");
    trace.sigma_ppb = top.integers("sigma_ppb");
    for (const auto& row : top.array("rows")) {
        trace.rows.push_back(read_row({row, where, fmt::format("rows[{}].", trace.rows.size())}));
    }
    check_lengths(top, trace);
    return trace;
}

}  // namespace barsweep::sim
