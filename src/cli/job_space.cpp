#include "cli/job_space.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include "cli/job_values.hpp"

namespace barsweep::cli {

using search::Choice;
using search::FloatRange;
using search::IntRange;
using search::Value;

std::vector<Value> probes(const search::Distribution& distribution)
{
    if (const auto* range = std::get_if<IntRange>(&distribution)) return {range->low, range->high};
    if (const auto* range = std::get_if<FloatRange>(&distribution)) {
        if (range->step > 0) return {range->low, std::min(range->low + range->step, range->high)};
        return {range->low, range->low + 0.3819660112501051 * (range->high - range->low),
                range->high};
    }
    const auto& values = std::get<Choice>(distribution).values;
    return {values.begin(), values.end()};
}

Value extreme(const search::Distribution& distribution, bool most)
{
    const auto smaller = [](const Value& a, const Value& b) {
        const auto number = [](const Value& value) {
            const auto text = search::to_text(value);
            return text == "true" ? 1.0 : text == "false" ? 0.0 : std::stod(text);
        };
        return number(a) < number(b);
    };
    const auto values = probes(distribution);
    return most ? *std::ranges::max_element(values, smaller)
                : *std::ranges::min_element(values, smaller);
}

JobTexts at_space_line(JobTexts texts, const std::string& key, const Value& value)
{
    auto text = texts.values.at("space." + key);
    text.text = search::to_text(value);
    texts.values[key] = std::move(text);
    return texts;
}

Span span_of(const JobTexts& texts, const search::Space& space, const std::string& key)
{
    const auto highest = std::numeric_limits<std::int64_t>::max();
    for (const auto& [name, distribution] : space.parameters) {
        if (name != key) continue;
        Span span{highest, 0};
        for (const auto& value : probes(distribution)) {
            const auto number = whole(at_space_line(texts, key, value), key, 0, highest);
            span = {std::min(span.low, number), std::max(span.high, number)};
        }
        return span;
    }
    const auto fixed = whole(texts, key, 0, highest);
    return {fixed, fixed};
}

}  // namespace barsweep::cli
