#pragma once
#include "account.hpp"
#include "math.hpp"

namespace barsweep::kernels {

/// What a policy sees of its account (SEMANTICS 3).
enum class AccountView : i32 { full, three, seed };

inline constexpr int max_account_features = 8;

BARSWEEP_HD constexpr int account_feature_count(AccountView view)
{
    return view == AccountView::full ? 8 : 3;
}

BARSWEEP_HD constexpr double clip(double x, double bound)
{
    return x > bound ? bound : x < -bound ? -bound : x;
}

/// Open profit over the cost of the position, in sigmas over the hold time.
BARSWEEP_HD constexpr double open_profit(const Rules& rules, const Account& a, i64 close,
                                         double sigma)
{
    if (a.basis == 0 || sigma <= 0) return 0;
    const double profit = ratio(i128{a.lots} * close - a.basis, magnitude(a.basis));
    const i64 hold = rules.hold_bars > 1 ? rules.hold_bars : 1;
    return profit / (sigma * square_root(static_cast<double>(hold)));
}

/// Distances of a close to the barriers, in sigmas of price; 0 without barriers.
struct Distances {
    double target = 0;
    double stop = 0;
};

BARSWEEP_HD constexpr Distances barrier_distances(const Account& a, i64 close, double sigma)
{
    if (a.upper == a.lower || sigma <= 0 || close == 0) return {};
    const double scale = static_cast<double>(magnitude(close)) * sigma;
    const double up = static_cast<double>(i128{a.upper} - close) / scale;
    const double down = static_cast<double>(i128{close} - a.lower) / scale;
    return a.lots > 0 ? Distances{up, down} : Distances{down, up};
}

/// Writes account_feature_count(view) floats to `out`, as seen at a close; sums are exact, then
/// double, stored as float.
BARSWEEP_HD constexpr void account_features(const Rules& rules, const Account& a, i64 close,
                                            i64 sigma_ppb, AccountView view, float* out)
{
    const i128 equity = i128{a.cash} + i128{a.lots} * close;
    const double sigma = static_cast<double>(sigma_ppb) / 1e9;
    const i64 hold = rules.hold_bars > 1 ? rules.hold_bars : 1;
    const double exposure = clip(equity > 0 ? ratio(i128{a.lots} * close, equity) : 0.0, 10);
    if (view == AccountView::seed) {
        const double spread = 2 * static_cast<double>(rules.half_spread_nanoticks) / 1e9;  // ticks
        out[0] = static_cast<float>(ratio(equity, rules.initial));
        out[1] = static_cast<float>(exposure);
        out[2] = static_cast<float>(close != 0 ? spread / static_cast<double>(close) : 0.0);
        return;
    }
    const double profit = clip(open_profit(rules, a, close, sigma), 5);
    const double age = ratio(a.age, hold);
    if (view == AccountView::three) {
        out[0] = static_cast<float>(exposure);
        out[1] = static_cast<float>(profit);
        out[2] = static_cast<float>(age < 1 ? age : 1.0);
        return;
    }
    const Distances distances = barrier_distances(a, close, sigma);
    out[0] = static_cast<float>(exposure);
    out[1] = static_cast<float>(static_cast<double>(a.level) / 1e6);
    out[2] = static_cast<float>(profit);
    out[3] = static_cast<float>(age < 1 ? age : 1.0);
    out[4] = static_cast<float>(clip(distances.target, 10));
    out[5] = static_cast<float>(clip(distances.stop, 10));
    out[6] = static_cast<float>(ratio(i128{a.peak} - equity, a.peak));
    out[7] = static_cast<float>(clip(ratio(equity, rules.initial) - 1.0, 10));
}

}  // namespace barsweep::kernels
