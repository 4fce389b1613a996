#include "search/grid.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "search/permutation.hpp"

namespace barsweep::search {
namespace {

constexpr std::int64_t largest_grid = std::int64_t{1} << 62;
constexpr std::int64_t most_conditions = 1024;

UserError too_large(const std::string& name)
{
    return UserError({"[space]", "a grid of at most 2^62 points", "more (" + name + " included)",
                      "make steps larger, or take sampler = random"});
}

std::int64_t product(std::int64_t a, std::int64_t b, const std::string& name)
{
    if (a > largest_grid / b) throw too_large(name);
    return a * b;
}

}  // namespace

Grid::Grid(std::uint64_t seed, const Space& space) : seed_(seed)
{
    for (const auto& parameter : space.parameters) {
        if (space.conditions.contains(parameter.name)) continue;
        roots_.push_back(make_node(space, parameter));
        size_ = product(size_, roots_.back().size, parameter.name);
    }
}

Grid::Node Grid::make_node(const Space& space, const Parameter& parameter)
{
    const auto& name = parameter.name;
    const std::int64_t count = count_values(parameter.distribution);
    if (count == 0)
        throw UserError({"[space] " + name, "a step, since the grid sampler is asked for",
                         "a range without one",
                         "write float LOW HIGH step S, or choice A B C, or take sampler = random"});
    Node node{parameter, {}, {}, {}, count};
    for (const auto& other : space.parameters) {
        const auto found = space.conditions.find(other.name);
        if (found == space.conditions.end() || found->second.name != name) continue;
        node.children.push_back(make_node(space, other));
        node.conditions.push_back(found->second.values);
    }
    if (node.children.empty()) return node;
    if (count > most_conditions)
        throw UserError({"[space] " + name,
                         "at most 1024 values of what others depend on, since the grid sampler is "
                         "asked for",
                         std::to_string(count), "take a larger step, or sampler = random"});
    node.size = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const auto value = to_text(value_at(parameter.distribution, k));
        std::int64_t size = 1;
        for (std::size_t i = 0; i < node.children.size(); ++i)
            if (applies(node, i, value)) size = product(size, node.children[i].size, name);
        node.sizes.push_back(size);
        if (node.size > largest_grid - size) throw too_large(name);
        node.size += size;
    }
    return node;
}

bool Grid::applies(const Node& node, std::size_t child, const std::string& value)
{
    return std::ranges::find(node.conditions[child], value) != node.conditions[child].end();
}

void Grid::place(const Node& node, std::int64_t index, Params& params)
{
    const auto& [name, distribution] = node.parameter;
    if (node.children.empty()) {
        params[name] = value_at(distribution, index);
        return;
    }
    std::size_t k = 0;
    for (; index >= node.sizes[k]; ++k) index -= node.sizes[k];
    const auto value = value_at(distribution, static_cast<std::int64_t>(k));
    params[name] = value;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        if (!applies(node, i, to_text(value))) continue;
        place(node.children[i], index % node.children[i].size, params);
        index /= node.children[i].size;
    }
}

std::optional<Params> Grid::draw(std::int64_t number) const
{
    if (number >= size_) return {};
    auto index = static_cast<std::int64_t>(
        permuted(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(size_), seed_));
    Params params;
    for (const auto& root : roots_) {
        place(root, index % root.size, params);
        index /= root.size;
    }
    return params;
}

}  // namespace barsweep::search
