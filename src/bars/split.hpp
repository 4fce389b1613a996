#pragma once
#include <cstdint>
#include <string>

#include "bars/bar_series.hpp"

namespace barsweep::bars {

/// Store rows first..last, both included. Its decisions are first..last-1 (SEMANTICS 8).
struct Window {
    std::int64_t first = 0;
    std::int64_t last = -1;

    std::int64_t bars() const noexcept { return last - first + 1; }
    std::int64_t decisions() const noexcept { return last > first ? last - first : 0; }
    friend bool operator==(const Window&, const Window&) = default;
};

/// The `[data]` keys that place the windows, as text: shares ("0.6") or date ranges
/// ("2015-01-01..2015-06-30", the end included).
struct SplitOptions {
    std::string train = "0.6";
    std::string validation = "0.2";
    std::string test = "0.2";
    std::int64_t purge =
        0;  ///< bars: training decisions within this many bars of validation are dropped
    std::int64_t embargo = 0;  ///< bars left out after the training window
    std::int64_t warmup = 0;   ///< store rows before the first that a window may use
};

struct Split {
    Window train, validation, test;
};

/// Windows in time order without overlap; throws UserError naming the key for shares that are no
/// numbers in (0, 1), pass 1 together, leave a window under two bars, or dates outside the store.
Split split_windows(const BarSeries& series, const SplitOptions& options);

}  // namespace barsweep::bars
