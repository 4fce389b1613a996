#include "search/sampler.hpp"

#include <utility>

namespace barsweep::search {
namespace {

using Kind = std::variant<RandomDraw, Grid, Sobol, Tpe, Cmaes, Gp>;

Kind make(const SamplerOptions& options, const Space& space)
{
    const auto seed = options.seed;
    switch (options.kind) {
        case SamplerKind::random:
            break;
        case SamplerKind::grid:
            return Grid(seed, space);
        case SamplerKind::sobol:
            return Sobol(seed, space);
        case SamplerKind::tpe:
            return Tpe({.seed = seed}, space);
        case SamplerKind::cmaes:
            return Cmaes(seed, space);
        case SamplerKind::gp:
            return Gp({.seed = seed}, space);
    }
    return RandomDraw(seed, space);
}

}  // namespace

const std::vector<std::string>& sampler_names()
{
    static const std::vector<std::string> names{"random", "grid", "sobol", "tpe", "cmaes", "gp"};
    return names;
}

Sampler::Sampler(SamplerOptions options, Space space)
    : space_(std::move(space)), kind_(make(options, space_))
{
}

std::optional<Params> Sampler::draw(std::int64_t number, std::span<const Trial> running)
{
    auto params = std::visit(
        [&](auto& kind) -> std::optional<Params> {
            if constexpr (requires { kind.draw(number, running); })
                return kind.draw(number, running);
            else
                return kind.draw(number);
        },
        kind_);
    if (params) params = active_only(space_, std::move(*params));
    return params;
}

void Sampler::tell(const Tried& tried)
{
    std::visit(
        [&](auto& kind) {
            if constexpr (requires { kind.tell(tried); }) kind.tell(tried);
        },
        kind_);
}

}  // namespace barsweep::search
