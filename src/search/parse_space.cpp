#include <algorithm>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "search/numbers.hpp"
#include "search/space.hpp"

namespace barsweep::search {
namespace {

constexpr const char* forms =
    "float LOW HIGH [step S], log LOW HIGH, int LOW HIGH [step S], intlog LOW HIGH or choice A B C";
constexpr const char* condition_form = "if NAME = VALUE [VALUE ...]";

using Words = std::vector<std::string>;

/// What one line reads as, and what is wrong with it.
struct Reading {
    std::optional<Distribution> distribution;  ///< empty: not to be read at all
    std::vector<std::string> faults;
};

Words split(const std::string& text)
{
    std::istringstream stream(text);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// LOW HIGH [step S], behind the kind. `T`: the type of all three; `range` brings the defaults.
template <class T, class Range>
Reading read_range(const Words& words, Range range)
{
    const bool stepped = words.size() == 5 && words[3] == "step";
    if (words.size() != 3 && !stepped) return {{}, {"expected " + words[0] + " LOW HIGH [step S]"}};
    Reading reading;
    const auto read = [&](const std::string& word, T& into) {
        const auto number = parse_number<T>(word);
        if (!number)
            reading.faults.push_back(word + " isn't " +
                                     (std::is_integral_v<T> ? "an integer" : "a number"));
        into = number.value_or(0);
    };
    read(words[1], range.low);
    read(words[2], range.high);
    const T default_step = range.step;
    if (stepped) read(words[4], range.step);
    if (!reading.faults.empty()) return reading;

    // A step that equals the default is no fault of the range, but it may be one to have asked for.
    if (stepped && range.step == default_step && range.log)
        reading.faults.push_back("step and log don't go together");
    else if (stepped && range.step == default_step && default_step == 0)
        reading.faults.push_back("step must be > 0, found 0");
    reading.distribution = range;
    return reading;
}

Reading read_line(const Words& words, const std::string& text)
{
    const std::string kind = words.empty() ? "" : words[0];
    if (kind == "float" || kind == "log")
        return read_range<double>(words, FloatRange{0, 0, kind == "log"});
    if (kind == "int" || kind == "intlog")
        return read_range<std::int64_t>(words, IntRange{0, 0, kind == "intlog"});
    if (kind == "choice") return {Choice{{words.begin() + 1, words.end()}}, {}};
    return {{}, {"expected " + std::string(forms) + ", found \"" + text + "\""}};
}

/// Takes `if NAME = VALUE ...` off the end of a line's words.
std::optional<Condition> take_condition(Words& words)
{
    for (std::size_t i = 1; i + 3 < words.size(); ++i) {
        if (words[i] != "if" || words[i + 2] != "=") continue;
        Condition condition{words[i + 1], {}};
        for (std::size_t k = i + 3; k < words.size(); ++k) condition.values.push_back(words[k]);
        words.resize(i);
        return condition;
    }
    return {};
}

/// What is wrong with a condition on this parameter; empty: nothing.
std::string fault_of(const Condition& condition, const Parameter& on)
{
    if (std::holds_alternative<FloatRange>(on.distribution))
        return "a condition stands on a choice or an integer, and " + on.name + " is a float";
    for (const auto& value : condition.values) {
        const auto number = parse_number<std::int64_t>(value);
        const bool whole = std::holds_alternative<IntRange>(on.distribution);
        if (whole ? !number || !contains(on.distribution, *number)
                  : !contains(on.distribution, value))
            return on.name + " is never " + value;
    }
    return {};
}

/// Whether the conditions beginning at `name` come back to it.
bool is_cyclic(const Space& space, const std::string& name)
{
    auto at = space.conditions.find(name);
    for (std::size_t i = 0; i <= space.conditions.size(); ++i) {
        if (at == space.conditions.end()) return false;
        at = space.conditions.find(at->second.name);
    }
    return true;
}

/// Whether some trial has the parameter, as far as keys that the job fixes say it.
bool may_be(const Space& space, const std::string& name,
            const std::map<std::string, std::string>& fixed)
{
    const auto found = space.conditions.find(name);
    if (found == space.conditions.end()) return true;
    const auto& [on, values] = found->second;
    if (std::ranges::find(space.parameters, on, &Parameter::name) != space.parameters.end())
        return may_be(space, on, fixed);
    return std::ranges::find(values, fixed.at(on)) != values.end();
}

/// Settles the conditions that stand on fixed keys.
Space without_fixed(const Space& space, const std::map<std::string, std::string>& fixed)
{
    Space settled;
    for (const auto& parameter : space.parameters) {
        if (!may_be(space, parameter.name, fixed)) continue;
        settled.parameters.push_back(parameter);
        const auto found = space.conditions.find(parameter.name);
        if (found != space.conditions.end() &&
            std::ranges::find(space.parameters, found->second.name, &Parameter::name) !=
                space.parameters.end())
            settled.conditions.insert(*found);
    }
    return settled;
}

}  // namespace

Space parse_space(const std::vector<std::pair<std::string, std::string>>& lines,
                  const std::string& where, const std::map<std::string, std::string>& fixed)
{
    Space space;
    std::string found;
    const auto add_fault = [&found](const std::string& name, const std::string& fault) {
        found += (found.empty() ? "" : "; ") + name + ": " + fault;
    };
    for (const auto& [name, text] : lines) {
        Words words = split(text);
        if (auto condition = take_condition(words)) space.conditions[name] = std::move(*condition);
        auto reading = read_line(words, text);
        for (const auto& fault : reading.faults) add_fault(name, fault);
        if (reading.distribution)
            for (const auto& fault : faults(*reading.distribution)) add_fault(name, fault);
        const auto same = [&](const Parameter& other) { return other.name == name; };
        if (std::ranges::any_of(space.parameters, same)) add_fault(name, "stands there twice");
        space.parameters.push_back({name, reading.distribution.value_or(Choice{})});
    }
    for (const auto& [name, condition] : space.conditions) {
        const auto on = std::ranges::find(space.parameters, condition.name, &Parameter::name);
        if (is_cyclic(space, name))
            add_fault(name, "its condition comes back to itself");
        else if (on == space.parameters.end() && !fixed.contains(condition.name))
            add_fault(name, "there is no " + condition.name + " that its condition could stand on");
        else if (on != space.parameters.end())
            if (const auto fault = fault_of(condition, *on); !fault.empty()) add_fault(name, fault);
    }
    if (!found.empty())
        throw UserError({where, "parameters that can be drawn", found,
                         "correct the lines named (" + std::string(forms) + ", each with " +
                             condition_form + " behind it or not)"});
    space = without_fixed(space, fixed);
    std::ranges::sort(space.parameters, {}, &Parameter::name);
    return space;
}

}  // namespace barsweep::search
