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

/// The parameters a study searches, in name order (so that the order of the job file's lines
/// changes nothing).
struct Space {
    std::vector<Parameter> parameters;
};

/// A drawn value. A Choice draws its text.
using Value = std::variant<double, std::int64_t, std::string>;
using Params = std::map<std::string, Value>;

/// As a job file would say it; doubles in the shortest form that reads back to the same bits.
std::string to_text(const Value& value);

/// Reads `[space]` lines (name, text): `float LOW HIGH [step S]`, `log LOW HIGH`,
/// `int LOW HIGH [step S]`, `intlog LOW HIGH`, `choice A B C`. Every fault of every line is in the
/// one UserError thrown, each with its parameter's name, before any trial starts.
Space parse_space(const std::vector<std::pair<std::string, std::string>>& lines,
                  const std::string& where);

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
