#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/space.hpp"

namespace barsweep::search {

/// Every configuration of a space once, in an order shuffled by the seed. A parameter whose
/// condition doesn't hold multiplies nothing: what differs in it alone is one configuration.
class Grid {
public:
    /// Throws UserError for a float without a step, a product beyond 2^62 and a condition on a
    /// parameter of more than 1,024 values.
    Grid(std::uint64_t seed, const Space& space);

    /// Empty: spent.
    std::optional<Params> draw(std::int64_t number) const;

    std::int64_t size() const noexcept { return size_; }

private:
    /// A parameter and those that stand on it.
    struct Node {
        Parameter parameter;
        std::vector<Node> children;
        std::vector<std::vector<std::string>> conditions;  ///< of the children: this one's values
        std::vector<std::int64_t> sizes;  ///< of each value's own grid; empty: no children
        std::int64_t size = 0;
    };

    static Node make_node(const Space& space, const Parameter& parameter);
    static bool applies(const Node& node, std::size_t child, const std::string& value);
    static void place(const Node& node, std::int64_t index, Params& params);

    std::uint64_t seed_;
    std::vector<Node> roots_;  ///< the first varies fastest
    std::int64_t size_ = 1;
};

}  // namespace barsweep::search
