#include "bars/csv_order.hpp"

#include <array>
#include <optional>

#include "bars/csv_cells.hpp"
#include "base/decimal.hpp"

namespace barsweep::bars {
namespace {

bool is_bar(Decimal open, Decimal high, Decimal low, Decimal close)
{
    return compare(high, open) >= 0 && compare(high, close) >= 0 && compare(low, open) <= 0 &&
           compare(low, close) <= 0;
}

}  // namespace

FittingOrders test_orders(std::string_view text, char delimiter)
{
    FittingOrders fits;
    LineReader lines{text};
    Cells cells;
    for (std::string_view line; (fits.ohlc || fits.bitfinex) && lines.next(line);) {
        cells.split(line, delimiter);
        if (cells.count < 5) continue;
        std::array<std::optional<Decimal>, 4> price;
        bool whole = true;
        for (std::size_t i = 0; i < 4; ++i) {
            price[i] = parse_decimal(cells.cell[i + 1]);
            whole = whole && price[i];
        }
        if (!whole) continue;
        fits.ohlc = fits.ohlc && is_bar(*price[0], *price[1], *price[2], *price[3]);
        fits.bitfinex = fits.bitfinex && is_bar(*price[0], *price[2], *price[3], *price[1]);
    }
    return fits;
}

}  // namespace barsweep::bars
