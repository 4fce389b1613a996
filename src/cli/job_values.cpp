#include "cli/job_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/time.hpp"
#include "cli/job_keys.hpp"

namespace barsweep::cli {

void refuse(const JobTexts& job, const std::string& key, const std::string& expected)
{
    const auto* known = find_key(key);
    throw UserError({job.where(key), key + " " + expected, "'" + job[key] + "'",
                     fmt::format("write for example {} = {}", key, known ? known->example : "")});
}

std::int64_t whole(const JobTexts& job, const std::string& key, std::int64_t low, std::int64_t high)
{
    const auto value = parse_number<std::int64_t>(job[key]);
    if (!value || *value < low || *value > high)
        refuse(job, key, fmt::format("as a whole number from {} to {}", low, high));
    return *value;
}

std::uint64_t seed_value(const JobTexts& job, const std::string& key)
{
    const auto value = parse_number<std::uint64_t>(job[key]);
    if (!value) refuse(job, key, "as a whole number from 0 to 2^64 - 1");
    return *value;
}

std::size_t one_of(const JobTexts& job, const std::string& key,
                   const std::vector<std::string>& words)
{
    const auto found = std::find(words.begin(), words.end(), job[key]);
    if (found == words.end()) refuse(job, key, fmt::format("as one of {}", fmt::join(words, ", ")));
    return static_cast<std::size_t>(found - words.begin());
}

double seconds_value(const JobTexts& job, const std::string& key)
{
    if (job[key] == "none") return 0;
    const auto duration = parse_duration(job[key]);
    if (!duration || *duration <= 0)
        refuse(job, key,
               "as a length of time above 0 with its unit (250ms, 90s, 15m, 2h, 1d) or none");
    return static_cast<double>(*duration) * 1e-9;
}

std::vector<std::int64_t> increasing(const JobTexts& job, const std::string& key)
{
    std::vector<std::int64_t> values;
    std::istringstream words{job[key]};
    for (std::string word; words >> word;) {
        const auto value = parse_number<std::int64_t>(word);
        if (!value || *value <= (values.empty() ? 0 : values.back()))
            refuse(job, key, "as whole numbers above 0, each larger than the one before");
        values.push_back(*value);
    }
    if (values.empty()) refuse(job, key, "as at least one whole number above 0");
    return values;
}

double number_value(const JobTexts& job, const std::string& key, double low, double high)
{
    const auto value = parse_number<double>(job[key]);
    if (!value || !(*value >= low && *value <= high))
        refuse(job, key, fmt::format("as a number from {} to {}", low, high));
    return *value;
}

double positive_or_auto(const JobTexts& job, const std::string& key, double automatic)
{
    if (job[key] == "auto") return automatic;
    const auto value = parse_number<double>(job[key]);
    if (!value || !std::isfinite(*value) || *value <= 0)
        refuse(job, key, "as a number above 0 or auto");
    return *value;
}

}  // namespace barsweep::cli
