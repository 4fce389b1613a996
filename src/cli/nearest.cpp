#include "cli/nearest.hpp"

#include <algorithm>

namespace barsweep::cli {
namespace {

std::string_view leaf(std::string_view name)
{
    return name.substr(name.rfind('.') + 1);  // npos + 1 is 0: all of it
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[a.size()][b.size()];
}

std::string nearest(std::string_view text, const std::vector<std::string>& known)
{
    for (const auto& name : known)
        if (leaf(name) == leaf(text)) return name;
    for (const auto& name : known)
        if (name.starts_with(text)) return name;
    return *std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
        return edit_distance(text, a) < edit_distance(text, b);
    });
}

}  // namespace barsweep::cli
