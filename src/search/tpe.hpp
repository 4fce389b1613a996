#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "search/sobol.hpp"
#include "search/tpe_kernels.hpp"
#include "search/tried.hpp"

namespace barsweep::search {

struct TpeOptions {
    std::uint64_t seed = 0;
    int startup = 10;     ///< complete or pruned trials before which it draws Sobol points
    int candidates = 24;  ///< draws from the good ones, of which the most promising is taken
};

/// Tree-structured Parzen estimator: finished trials are split into the best min(ceil(n/10), 25)
/// and the rest; of some draws from the first's estimator, the one is taken that is likeliest there
/// against the second's (J. Bergstra et al., NIPS 2011, section 4). Trials that run count among the
/// rest (constant liar), so that slots don't crowd at one point. Complete trials come before
/// pruned ones, and those by step, then score; failed ones don't count. Parameters under a
/// condition are a group of their own, which learns from the trials that had them.
class Tpe {
public:
    Tpe(TpeOptions options, const Space& space);

    void tell(const Tried& tried);

    /// The parameters of trial `number`; a pure function of the options, what was told, `running`
    /// and `number`.
    Params draw(std::int64_t number, std::span<const Trial> running);

private:
    /// Parameters that are there together, modelled together.
    struct Group {
        std::vector<Axis> axes;
        ParzenEstimator good, rest;
    };

    void hold(ParzenEstimator Group::*side, const Trial& trial);
    void release(ParzenEstimator Group::*side, std::int64_t number);
    void forget(std::int64_t number);
    void take(const Tried& tried);
    void move(ParzenEstimator Group::*from, ParzenEstimator Group::*to, std::int64_t number);
    void set_liars(std::span<const Trial> running);
    void draw_group(Group& group, RandomStream& random, Params& params) const;

    TpeOptions options_;
    Sobol sobol_;  ///< of the first trials, and of what no group models
    std::vector<Group> groups_;
    std::vector<Rank> ranked_;              ///< complete and pruned trials
    std::size_t good_count_ = 0;            ///< how many of them, from the first, are good
    std::map<std::int64_t, Params> tried_;  ///< their parameters
    std::vector<std::int64_t> liars_;       ///< running trials held among the rest
};

}  // namespace barsweep::search
