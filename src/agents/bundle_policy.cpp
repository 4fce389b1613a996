#include "agents/bundle_policy.hpp"

#include "agents/bytes.hpp"

namespace barsweep::agents {
namespace {

using kernels::i32;

constexpr i32 most_units = 65'536;

/// Whole numbers of a policy, as they lie in the file; its support follows.
struct Numbers {
    i32 view, levels, dueling, distribution, atoms, activation, layer_norm, layers;
    i32 sizes[kernels::max_mlp_layers + 1];
};
constexpr auto number_count = static_cast<std::int64_t>(sizeof(Numbers) / sizeof(i32));

Numbers numbers_of(const sim::Policy& policy)
{
    const auto& shape = policy.shape;
    const auto& head = policy.head;
    Numbers n{static_cast<i32>(policy.view),
              head.levels,
              head.dueling,
              static_cast<i32>(head.distribution),
              head.atoms,
              static_cast<i32>(shape.activation),
              shape.layer_norm,
              shape.layers,
              {}};
    for (int l = 0; l <= shape.layers; ++l) n.sizes[l] = shape.sizes[l];
    return n;
}

bool within(i32 number, i32 low, i32 high)
{
    return number >= low && number <= high;
}

/// Sums of sizes, and shape.outputs(), stay within i32 by these.
bool can_be(const Numbers& n)
{
    bool good = within(n.view, 0, 2) && within(n.levels, 2, kernels::max_levels) &&
                within(n.dueling, 0, 1) && within(n.distribution, 0, 2) &&
                within(n.atoms, 1, kernels::max_atoms) && within(n.activation, 0, 2) &&
                within(n.layer_norm, 0, 1) && within(n.layers, 1, kernels::max_mlp_layers);
    for (int l = 0; good && l <= n.layers; ++l) good = within(n.sizes[l], 1, most_units);
    return good && n.sizes[n.layers] == (n.levels + n.dueling) * n.atoms;
}

}  // namespace

void put_policy(std::string& bytes, const sim::Policy& policy)
{
    const Numbers numbers = numbers_of(policy);
    put(bytes, &numbers.view, number_count);
    put(bytes, &policy.head.lowest);
    put(bytes, &policy.head.highest);
    put(bytes, policy.parameters.data(), static_cast<std::int64_t>(policy.parameters.size()));
}

bool read_policy(std::string_view bytes, sim::Policy& policy)
{
    Numbers n{};
    auto& [shape, head, parameters, view] = policy;
    if (!take(bytes, &n.view, number_count) || !take(bytes, &head.lowest) ||
        !take(bytes, &head.highest) || !can_be(n)) {
        return false;
    }
    view = kernels::AccountView{n.view};
    head.levels = n.levels;
    head.dueling = n.dueling != 0;
    head.distribution = kernels::Distribution{n.distribution};
    head.atoms = n.atoms;
    shape.layers = n.layers;
    shape.activation = kernels::Activation{n.activation};
    shape.layer_norm = n.layer_norm != 0;
    for (int l = 0; l <= n.layers; ++l) shape.sizes[l] = n.sizes[l];
    const auto count = kernels::parameter_count(shape);
    if (bytes.size() != static_cast<std::size_t>(count) * sizeof(float)) return false;
    parameters.resize(static_cast<std::size_t>(count));
    return take(bytes, parameters.data(), count);
}

}  // namespace barsweep::agents
