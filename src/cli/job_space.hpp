#pragma once
#include <cstdint>
#include <vector>

#include "cli/job_texts.hpp"
#include "search/space.hpp"

namespace barsweep::cli {

/// The ends of a range and, of a float range, a value between, of as many digits as a draw has.
std::vector<search::Value> probes(const search::Distribution& distribution);

/// The least of a parameter's values, or the greatest; true is more than false.
search::Value extreme(const search::Distribution& distribution, bool most);

/// The parameter's value as if the [space] line itself had said it, so that sentences name that
/// line.
JobTexts at_space_line(JobTexts texts, const std::string& key, const search::Value& value);

/// Least and largest whole number that `key` takes over all trials.
struct Span {
    std::int64_t low, high;
};
Span span_of(const JobTexts& texts, const search::Space& space, const std::string& key);

}  // namespace barsweep::cli
