#include <algorithm>

#include "search/space.hpp"

namespace barsweep::search {

bool is_active(const Space& space, const std::string& name, const Params& params)
{
    const auto found = space.conditions.find(name);
    if (found == space.conditions.end()) return true;
    const auto& [on, values] = found->second;
    const auto value = params.find(on);
    return value != params.end() &&
           std::ranges::find(values, to_text(value->second)) != values.end() &&
           is_active(space, on, params);
}

Params active_only(const Space& space, Params params)
{
    if (space.conditions.empty()) return params;
    Params active;
    for (const auto& [name, value] : params)
        if (is_active(space, name, params)) active.emplace(name, value);
    return active;
}

}  // namespace barsweep::search
