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

Reading read_line(const std::string& text)
{
    const Words words = split(text);
    const std::string kind = words.empty() ? "" : words[0];
    if (kind == "float" || kind == "log")
        return read_range<double>(words, FloatRange{0, 0, kind == "log"});
    if (kind == "int" || kind == "intlog")
        return read_range<std::int64_t>(words, IntRange{0, 0, kind == "intlog"});
    if (kind == "choice") return {Choice{{words.begin() + 1, words.end()}}, {}};
    return {{}, {"expected " + std::string(forms) + ", found \"" + text + "\""}};
}

}  // namespace

Space parse_space(const std::vector<std::pair<std::string, std::string>>& lines,
                  const std::string& where)
{
    Space space;
    std::string found;
    const auto add_fault = [&found](const std::string& name, const std::string& fault) {
        found += (found.empty() ? "" : "; ") + name + ": " + fault;
    };
    for (const auto& [name, text] : lines) {
        auto reading = read_line(text);
        for (const auto& fault : reading.faults) add_fault(name, fault);
        if (reading.distribution)
            for (const auto& fault : faults(*reading.distribution)) add_fault(name, fault);
        const auto same = [&](const Parameter& other) { return other.name == name; };
        if (std::ranges::any_of(space.parameters, same)) add_fault(name, "stands there twice");
        space.parameters.push_back({name, reading.distribution.value_or(Choice{})});
    }
    if (!found.empty())
        throw UserError({where, "parameters that can be drawn", found,
                         "correct the lines named (" + std::string(forms) + ")"});
    std::ranges::sort(space.parameters, {}, &Parameter::name);
    return space;
}

}  // namespace barsweep::search
