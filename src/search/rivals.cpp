#include "search/rivals.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace barsweep::search {
namespace {

constexpr std::size_t most = 1024;  // a block's; one that grows beyond is halved

}  // namespace

Rivals::Rivals(const std::vector<double>& ranks)
{
    for (const double rank : ranks) insert(rank);
}

void Rivals::insert(double rank)
{
    ++size_;
    defined_ += rank > -std::numeric_limits<double>::infinity();
    auto block =
        std::ranges::lower_bound(blocks_, rank, {}, [](const auto& b) { return b.back(); });
    if (block == blocks_.end()) {
        if (blocks_.empty()) blocks_.emplace_back();
        block = blocks_.end() - 1;
    }
    block->insert(std::ranges::upper_bound(*block, rank), rank);
    if (block->size() <= most) return;
    const auto middle = block->begin() + most / 2;
    std::vector<double> upper(middle, block->end());
    block->erase(middle, block->end());
    blocks_.insert(block + 1, std::move(upper));
}

double Rivals::at(std::size_t k) const
{
    for (const auto& block : blocks_) {
        if (k < block.size()) return block[k];
        k -= block.size();
    }
    throw std::out_of_range("rivals: none so high");
}

}  // namespace barsweep::search
