#include "agents/config_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "base/number.hpp"
#include "kernels/mlp_shape.hpp"

namespace barsweep::agents {
namespace {

constexpr std::size_t most_hidden = kernels::max_mlp_layers - 1;
constexpr std::int32_t widest = 4'096;

}  // namespace

void ConfigText::refuse(const std::string& expected) const
{
    throw UserError({where, fmt::format("agent.{} as {}", key.name, expected), "'" + value + "'",
                     fmt::format("write for example agent.{} = {}", key.name, key.fallback)});
}

std::int64_t ConfigText::whole(std::int64_t low, std::int64_t high) const
{
    const auto x = parse_number<std::int64_t>(value);
    if (!x || *x < low || *x > high) {
        refuse(fmt::format("a whole number from {} to {}", low, high));
    }
    return *x;
}

double ConfigText::number(double low, double high) const
{
    const auto x = parse_number<double>(value);
    if (!x || !(*x >= low && *x <= high)) {
        refuse(fmt::format("a number from {} to {}", low, high));
    }
    return *x;
}

double ConfigText::positive(double high) const
{
    const auto x = parse_number<double>(value);
    if (!x || !(*x > 0 && *x <= high)) refuse(fmt::format("a number above 0, up to {}", high));
    return *x;
}

int ConfigText::word(const std::vector<std::string>& words) const
{
    const auto found = std::find(words.begin(), words.end(), value);
    if (found == words.end()) refuse(fmt::format("one of {}", fmt::join(words, ", ")));
    return static_cast<int>(found - words.begin());
}

bool ConfigText::yes() const
{
    return word({"false", "true"}) == 1;
}

std::vector<std::int32_t> ConfigText::widths() const
{
    const auto expected = fmt::format("1 to {} whole numbers from 1 to {}", most_hidden, widest);
    std::string blanks = value;
    std::replace(blanks.begin(), blanks.end(), ',', ' ');
    std::vector<std::int32_t> numbers;
    std::istringstream words{blanks};
    for (std::string one; words >> one;) {
        const auto width = parse_number<std::int32_t>(one);
        if (!width || *width < 1 || *width > widest) refuse(expected);
        numbers.push_back(*width);
    }
    if (numbers.empty() || numbers.size() > most_hidden) refuse(expected);
    return numbers;
}

}  // namespace barsweep::agents
