#pragma once
#include <string_view>

namespace barsweep::bars {

/// Which orders of six columns without names every row of a file allows: the high is the highest
/// and the low the lowest price of each bar.
struct FittingOrders {
    bool ohlc = true;      ///< time, open, high, low, close, volume
    bool bitfinex = true;  ///< time, open, close, high, low, volume
};

/// Rows that can't be read are passed over: the import names them.
FittingOrders test_orders(std::string_view text, char delimiter);

}  // namespace barsweep::bars
