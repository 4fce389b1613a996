#include "search/sobol.hpp"

#include <bit>

#include "base/random.hpp"
#include "search/sobol_table.hpp"

namespace barsweep::search {
namespace {

constexpr int bits = 32;
using Directions = std::array<std::uint32_t, bits>;

/// v_k = m_k / 2^k, and the recurrence of the polynomial beyond its degree (Bratley and Fox, eq.
/// 5).
constexpr Directions directions_of(const SobolDimension& of)
{
    const int degree = std::bit_width(of.polynomial) - 1;
    Directions v{};
    for (int k = 0; k < bits; ++k) {
        if (k < degree) {
            v[static_cast<std::size_t>(k)] = of.m[static_cast<std::size_t>(k)] << (bits - 1 - k);
            continue;
        }
        const std::uint32_t last = v[static_cast<std::size_t>(k - degree)];
        std::uint32_t next = last ^ (last >> degree);
        for (int j = 1; j < degree; ++j)
            if (of.polynomial >> (degree - j) & 1) next ^= v[static_cast<std::size_t>(k - j)];
        v[static_cast<std::size_t>(k)] = next;
    }
    return v;
}

constexpr auto directions = [] {
    std::array<Directions, sobol_dimension_limit> all{};
    for (int k = 0; k < bits; ++k) all[0][static_cast<std::size_t>(k)] = 1u << (bits - 1 - k);
    for (std::size_t d = 0; d < sobol_dimensions.size(); ++d)
        all[d + 1] = directions_of(sobol_dimensions[d]);
    return all;
}();

}  // namespace

std::uint32_t sobol_point(std::uint32_t index, std::uint32_t dimension)
{
    std::uint32_t point = 0;
    for (std::size_t k = 0; index != 0; ++k, index >>= 1)
        if (index & 1) point ^= directions.at(dimension)[k];
    return point;
}

std::uint32_t owen_scrambled(std::uint32_t point, std::uint64_t seed, std::uint32_t dimension)
{
    std::uint32_t turned = 0;
    for (int k = 0; k < bits; ++k) {
        const std::uint32_t above = k == 0 ? 1 : 1u << k | point >> (bits - k);
        turned ^= RandomStream(seed, Purpose::sobol_scramble, dimension, above).next_u32() &
                  1u << (bits - 1 - k);
    }
    return point ^ turned;
}

Sobol::Sobol(std::uint64_t seed, const Space& space) : seed_(seed), axes_(axes_of(space))
{
    constexpr std::size_t most = 65'536;
    for (const auto& axis : axes_) {
        const auto count = static_cast<std::size_t>(axis.count);
        settings_ = count > most ? 0 : settings_ * count;
        if (settings_ > most) settings_ = 0;
    }
}

Params Sobol::point(std::uint32_t index) const
{
    Params params;
    for (std::uint32_t d = 0; d < axes_.size(); ++d) {
        double u = RandomStream(seed_, Purpose::sample_parameter, index, d).uniform();
        if (d < sobol_dimension_limit)
            u = (owen_scrambled(sobol_point(index, d), seed_, d) + u) * 0x1.0p-32;
        params[axes_[d].parameter.name] = value_at_share(axes_[d], u);
    }
    return params;
}

std::uint32_t Sobol::index_of(std::int64_t number) const
{
    const auto wanted = static_cast<std::size_t>(number);
    for (int passed = 0; indices_.size() <= wanted; ++next_) {
        if (drawn_.size() == settings_) drawn_.clear();
        if (!drawn_.insert(point(next_)).second && passed++ < 64) continue;
        indices_.push_back(next_);
        passed = 0;
    }
    return indices_[wanted];
}

Params Sobol::draw(std::int64_t number) const
{
    return point(settings_ == 0 ? static_cast<std::uint32_t>(number) : index_of(number));
}

}  // namespace barsweep::search
