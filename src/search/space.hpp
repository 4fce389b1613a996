#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace barsweep::search {

/// low <= x <= high; with `step` > 0 the values low + k*step that are not above high.
struct FloatRange {
    double low, high;
    bool log = false;
    double step = 0;
};

/// low, low+step, ... not above high. Bounds within 2^53, since journals keep them as doubles.
struct IntRange {
    std::int64_t low, high;
    bool log = false;
    std::int64_t step = 1;
};

struct Choice {
    std::vector<std::string> values;
};

using Distribution = std::variant<FloatRange, IntRange, Choice>;

struct Parameter {
    std::string name;  ///< the job's key, for example "agent.fast"
    Distribution distribution;
};

/// Where a parameter counts: where another one has one of these values. Elsewhere a trial doesn't
/// have it.
struct Condition {
    std::string name;                 ///< of another parameter of the space: a Choice or an int
    std::vector<std::string> values;  ///< as `to_text` writes them

    bool operator==(const Condition&) const = default;
};

/// The parameters a study searches, in name order (so that the order of the job file's lines
/// changes nothing), and the conditions of those that have one, by name.
struct Space {
    std::vector<Parameter> parameters;
    std::map<std::string, Condition> conditions{};
};

/// A drawn value. A Choice draws its text.
using Value = std::variant<double, std::int64_t, std::string>;
using Params = std::map<std::string, Value>;

/// As a job file would say it; doubles in the shortest form that reads back to the same bits.
std::string to_text(const Value& value);

/// Reads `[space]` lines (name, text): `float LOW HIGH [step S]`, `log LOW HIGH`,
/// `int LOW HIGH [step S]`, `intlog LOW HIGH`, `choice A B C`; each may end in
/// `if NAME = VALUE [VALUE ...]`: another line's name and values it can draw, or a key of `fixed`
/// (name, value), which settles the condition here: the line then counts for all trials or for
/// none. Every fault of every line is in the one UserError thrown, each with its parameter's name,
/// before any trial starts.
Space parse_space(const std::vector<std::pair<std::string, std::string>>& lines,
                  const std::string& where, const std::map<std::string, std::string>& fixed = {});

/// Whether a trial with these parameters (and others, which don't matter) has parameter `name`: its
/// condition holds, and so do those of the parameters it stands on.
bool is_active(const Space& space, const std::string& name, const Params& params);

/// `params` of a whole space without those that a trial of them doesn't have.
Params active_only(const Space& space, Params params);

/// Every fault of a distribution, as one sentence each ("log needs low > 0, found 0"); empty: none.
std::vector<std::string> faults(const Distribution& distribution);

/// Whether `value` can be drawn from `distribution` (type, bounds, step grid).
bool contains(const Distribution& distribution, const Value& value);

/// Distinct values of a grid over the distribution; 0: infinitely many (a float without a step,
/// unless low equals high).
std::int64_t count_values(const Distribution& distribution);

/// Value `k` of the grid, 0 <= k < count_values. A float's is the decimal low + k*step, rounded
/// once to a double, wherever low, high and step are decimals that fit 64 bits (0.0001 + 199 *
/// 0.0005 is 0.0996, not 0.09960000000000001); else low + k*step in doubles, never above high.
Value value_at(const Distribution& distribution, std::int64_t k);

/// The largest value of the distribution, which for a grid may be below its high; Optuna writes
/// this one. Numbers only.
double last_value(const Distribution& distribution);

}  // namespace barsweep::search
