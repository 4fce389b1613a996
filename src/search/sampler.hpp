#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/trial.hpp"

namespace barsweep::search {

enum class SamplerKind { random, grid };

struct SamplerOptions {
    SamplerKind kind = SamplerKind::random;
    std::uint64_t seed = 0;
};

/// Draws the parameters of trial `number`. Random numbers are keyed (seed, trial, parameter), so a
/// draw depends on no other draw. Grid: the full product in an order shuffled by the seed; empty
/// when spent (a float without a step has no grid: UserError when made).
class Sampler {
public:
    Sampler(SamplerOptions options, Space space);

    std::optional<Params> draw(std::int64_t number, const std::vector<TrialRecord>& history) const;

private:
    Params draw_random(std::int64_t number) const;
    Params grid_point(std::int64_t index) const;

    SamplerOptions options_;
    Space space_;
    std::int64_t grid_size_ = 0;
};

}  // namespace barsweep::search
