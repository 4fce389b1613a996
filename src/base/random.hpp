#pragma once
#include <cstdint>

#include "kernels/philox.hpp"

namespace barsweep {

/// What a random number is for. A stream is keyed by purpose and by the things it is about (study
/// seed, trial, replicate, lane, step), never by rank, thread or time, so that every run of a job
/// draws the same numbers. Values are part of the results: append, never renumber.
enum class Purpose : std::uint32_t {
    sample_parameter = 1,
    synthetic_bars = 2,
    explore = 3,          ///< kernels/act.hpp, explore_purpose
    trial_key = 4,        ///< of a trial's replicate: keys the streams of that trial alone
    network_weights = 5,  ///< initial
    episode_order = 6,    ///< of a study's replicate and a pass over the training window
    replay_picks = 7,     ///< of an update
    act_by_chance = 8,    ///< kernels/act_categorical.hpp, act_by_chance_purpose
    minibatches = 9,      ///< kernels/shuffle.hpp, shuffle_purpose
    sobol_scramble = 20,  ///< of a parameter
    tpe_candidates = 21,  ///< of a trial and a group of parameters
    cmaes_step = 22,      ///< of a trial
    gp_search = 23,       ///< of a trial
};

/// A counter-based stream (Philox4x32-10). Copyable, cheap to make; two streams of different keys
/// are independent.
class RandomStream {
public:
    /// `a`, `b`: what the stream is about, for example trial number and parameter index.
    RandomStream(std::uint64_t seed, Purpose purpose, std::uint32_t a = 0, std::uint32_t b = 0)
        : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
          counter_{0, static_cast<std::uint32_t>(purpose), a, b}
    {
    }

    std::uint32_t next_u32()
    {
        if (used_ == 4) {
            words_ = kernels::philox4x32(counter_, key_);
            ++counter_.x;
            used_ = 0;
        }
        const std::uint32_t all[4] = {words_.x, words_.y, words_.z, words_.w};
        return all[used_++];
    }

    std::uint64_t next_u64()
    {
        const std::uint64_t low = next_u32();
        return low | static_cast<std::uint64_t>(next_u32()) << 32;
    }

    /// Uniform in [0, 1), 53 bits.
    double uniform() { return static_cast<double>(next_u64() >> 11) * 0x1.0p-53; }

    /// Uniform in 0..count-1, without bias (rejection); count > 0.
    std::uint64_t below(std::uint64_t count)
    {
        const std::uint64_t limit = UINT64_MAX - UINT64_MAX % count;
        for (;;)
            if (const auto word = next_u64(); word < limit) return word % count;
    }

private:
    kernels::PhiloxKey key_;
    kernels::PhiloxCounter counter_;
    kernels::PhiloxCounter words_{};
    int used_ = 4;
};

}  // namespace barsweep
