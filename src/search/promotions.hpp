#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "search/rivals.hpp"

namespace barsweep::search {

/// Asynchronous successive halving with its promotions (L. Li et al., "A system for massively
/// parallel hyperparameter tuning", MLSys 2020, algorithm 2): a trial that isn't among the best
/// floor(n/eta) of the n scores of a rung waits there, and goes on once it is, since more have
/// reported. Undefined scores wait too. Equal to the last of the best is among
/// them.
class Promotions {
public:
    Promotions(int eta, std::size_t rungs)
        : eta_(static_cast<std::size_t>(eta)), scores_(rungs), waiting_(rungs)
    {
    }

    /// A trial's standing at a rung, for a person; `goes_on`: it is among the best.
    struct Place {
        std::int64_t trial = 0;
        int rung = 0;
        bool goes_on = false;
        std::string told;  ///< "score 2 at step 100 is among the best 1 of 3, which begin at 2"
    };

    /// Takes a score (as rank_score). A trial that doesn't go on waits.
    Place report(std::int64_t trial, int rung, std::int64_t step, double rank);

    /// The trial that goes on next, out of those that wait: of the highest rung that has one, the
    /// best. `last`: nothing else will report, so the best of each rung goes on even where fewer
    /// than eta reported, or its score is undefined. It waits no more once `promote`d.
    std::optional<Place> next(const std::vector<std::int64_t>& steps, bool last) const;
    void promote(const Place& place);

    /// Those that wait, in number order, each with its place as it is now.
    std::vector<Place> waiting(const std::vector<std::int64_t>& steps) const;
    bool none_waits() const;
    void send_home();  ///< nobody waits from now on

private:
    using Waiting = std::set<std::pair<double, std::int64_t>>;  ///< (-rank, trial): best first

    Place place_of(std::int64_t trial, int rung, std::int64_t step, double rank, bool last) const;

    std::size_t eta_;
    std::vector<Rivals> scores_;  ///< by rung
    std::vector<Waiting> waiting_;
};

}  // namespace barsweep::search
