#include "optimum.hpp"

#include <limits>
#include <stdexcept>

namespace barsweep::sim {
namespace {

using kernels::i64;

constexpr i64 never = std::numeric_limits<i64>::min();

/// An account of the initial money that has held `level` since some bar before the close of `row`.
kernels::Account standing_at(const Market& market, const kernels::Rules& rules, i64 level, i64 row)
{
    kernels::Account account = kernels::fresh_account(rules);
    account.level = level;
    account.lots = level * rules.unit_lots / kernels::million;
    account.cash -= account.lots * market.close.read()[row];
    return account;
}

/// tick*lot: equity gained from the close of `row` to the next by going `from` one level `to`
/// another.
i64 gain(const Market& market, const kernels::Rules& rules, i64 row, i64 from, i64 to)
{
    auto account = standing_at(market, rules, from, row);
    const auto ohlc = market.ohlc.read();
    const auto step =
        kernels::advance(rules, account, kernels::bar_at(ohlc, row), kernels::bar_at(ohlc, row + 1),
                         market.sigma.read()[row], to, kernels::NoSink{});
    if (step.status != kernels::Status::good) throw std::logic_error("optimum_of: overflow");
    return step.equity - step.before;
}

void check(const kernels::Rules& rules)
{
    bool sound = rules.unit_lots > 0 && rules.barrier != kernels::Barrier::exit;
    for (i64 k = 0; k < rules.level_count; ++k) {
        const i64 level = rules.levels_ppm[k];
        sound = sound && (level == 0) == (level * rules.unit_lots / kernels::million == 0);
    }
    if (!sound) throw std::logic_error("optimum_of: rules that money isn't additive under");
}

}  // namespace

Optimum optimum_of(const Market& market, const kernels::Rules& rules, bars::Window window)
{
    check(rules);
    const auto levels = static_cast<std::size_t>(rules.level_count);
    const auto decisions = static_cast<std::size_t>(window.decisions());
    std::vector<i64> best(levels, 0);                        // by level in force, at a close
    std::vector<std::size_t> before(decisions * levels, 0);  // level that led to it

    for (std::size_t t = 0; t < decisions; ++t) {
        const i64 row = window.first + static_cast<i64>(t);
        std::vector<i64> next(levels, never);
        for (std::size_t to = 0; to < levels; ++to) {
            for (std::size_t from = 0; from < levels; ++from) {
                const i64 held = t == 0 ? 0 : rules.levels_ppm[from];  // a fresh account is flat
                const i64 sum = best[from] + gain(market, rules, row, held, rules.levels_ppm[to]);
                if (sum <= next[to]) continue;
                next[to] = sum;
                before[t * levels + to] = from;
            }
        }
        best = next;
    }

    std::size_t level = 0;
    for (std::size_t k = 1; k < levels; ++k) level = best[k] > best[level] ? k : level;
    Optimum optimum{best[level], Wanted(decisions)};
    for (std::size_t t = decisions; t-- > 0;) {
        optimum.wanted[t] = rules.levels_ppm[level];
        level = before[t * levels + level];
    }
    return optimum;
}

}  // namespace barsweep::sim
