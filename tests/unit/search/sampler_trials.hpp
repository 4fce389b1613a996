#pragma once
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "search/sampler.hpp"

namespace barsweep::search::tests {

/// Spaces whose ranges are as narrow as they may be, beside ordinary ones.
inline Space edge_space()
{
    return parse_space({{"a", "float 0 1"},
                        {"b", "log 1e-5 1e-2"},
                        {"c", "intlog 1 300"},
                        {"d", "float 0.0001 0.1 step 0.0005"},
                        {"e", "int 2 10 step 5"},
                        {"f", "choice x y z"},
                        {"g", "log 1e-4 1e-4"},
                        {"h", "choice alone"},
                        {"i", "int 7 7"},
                        {"j", "intlog 3 3"}},
                       "job.ini");
}

inline Space branin_space()
{
    return parse_space({{"x", "float -5 10"}, {"y", "float 0 15"}}, "job.ini");
}

/// Least 0.397887 (L. C. W. Dixon, G. P. Szego, 1978).
inline double branin(const Params& params)
{
    constexpr double pi = std::numbers::pi;
    const double x = std::get<double>(params.at("x")), y = std::get<double>(params.at("y"));
    const double bend = y - 5.1 / (4 * pi * pi) * x * x + 5 / pi * x - 6;
    return bend * bend + 10 * (1 - 1 / (8 * pi)) * std::cos(x) + 10;
}

/// Asks and tells one trial after another; the trials.
inline std::vector<Tried> asked_and_told(Sampler& sampler, int trials,
                                         const std::function<void(Tried&)>& judge)
{
    std::vector<Tried> all;
    for (int n = 0; n < trials; ++n) {
        Tried tried;
        tried.trial = {n, sampler.draw(n).value()};
        judge(tried);
        sampler.tell(tried);
        all.push_back(tried);
    }
    return all;
}

/// The best loss of each seed's run, ascending.
inline std::vector<double> best_on_branin(SamplerKind kind, int seeds, int trials)
{
    std::vector<double> best;
    for (int seed = 0; seed < seeds; ++seed) {
        Sampler sampler({kind, static_cast<std::uint64_t>(seed)}, branin_space());
        double least = std::numeric_limits<double>::infinity();
        asked_and_told(sampler, trials, [&](Tried& tried) {
            tried.loss = branin(tried.trial.params);
            least = std::min(least, tried.loss);
        });
        best.push_back(least);
    }
    std::ranges::sort(best);
    return best;
}

/// What goes wrong in a study: the first twenty trials fail, later ones are pruned or have no
/// score, one is infinite.
inline void misfortune(Tried& tried)
{
    const auto number = tried.trial.number;
    tried.loss = std::get<double>(tried.trial.params.at("a"));
    if (number < 20) {
        tried.state = TrialState::fail;
        tried.loss = std::nan("");
    } else if (number % 3 == 0) {
        tried.state = TrialState::pruned;
        tried.step = number % 2 ? 100 : 200;
        if (number % 4 == 0) tried.loss = std::nan("");
    } else if (number == 31) {
        tried.loss = std::numeric_limits<double>::infinity();
    }
}

}  // namespace barsweep::search::tests
