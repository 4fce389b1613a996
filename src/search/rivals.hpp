#pragma once
#include <cstddef>
#include <vector>

namespace barsweep::search {

/// The scores of a rung so far, ascending, as `rank_score` makes them. Kept in blocks, so that one
/// of 100,000 is added and the k-th is found in some hundred steps.
class Rivals {
public:
    Rivals() = default;
    explicit Rivals(const std::vector<double>& ranks);

    void insert(double rank);
    std::size_t size() const noexcept { return size_; }
    /// Those that have a score: above minus infinity.
    std::size_t defined() const noexcept { return defined_; }
    /// The k-th lowest, k from 0.
    double at(std::size_t k) const;

private:
    std::vector<std::vector<double>> blocks_;  ///< none is empty
    std::size_t size_ = 0, defined_ = 0;
};

}  // namespace barsweep::search
