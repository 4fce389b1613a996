#include "bars/csv_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "bars/csv_cells.hpp"
#include "bars/csv_order.hpp"
#include "base/decimal.hpp"
#include "base/time.hpp"

namespace barsweep::bars {
namespace {

/// Other names that exporters use, in small letters, with blanks for '_'.
constexpr std::array<std::pair<std::string_view, Field>, 22> aliases{{
    {"timestamp", time_field},  {"date", time_field},
    {"datetime", time_field},   {"date time", time_field},
    {"open time", time_field},  {"opentime", time_field},
    {"gmt time", time_field},   {"unix", time_field},
    {"unix time", time_field},  {"unix timestamp", time_field},
    {"ts", time_field},         {"t", time_field},
    {"o", open_field},          {"h", high_field},
    {"l", low_field},           {"c", close_field},
    {"v", volume_field},        {"vol", volume_field},
    {"open price", open_field}, {"high price", high_field},
    {"low price", low_field},   {"close price", close_field},
}};

std::optional<Field> field_of(std::string_view name)
{
    std::string plain;
    for (const char c : name)
        plain += c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (std::size_t i = 0; i < fields; ++i)
        if (plain == field_names[i]) return static_cast<Field>(i);
    for (const auto& [alias, field] : aliases)
        if (plain == alias) return field;
    return {};
}

char delimiter_of(std::string_view line)
{
    char best = ',';
    for (const char candidate : {';', '\t'})
        if (std::ranges::count(line, candidate) > std::ranges::count(line, best)) best = candidate;
    return best;
}

/// A time in front, or numbers in more than half of the cells: a row of data, if perhaps a bad one.
bool is_data(const Cells& cells)
{
    if (cells.count < 2) return false;
    if (parse_timestamp(cells.cell[0])) return true;
    const auto kept = std::min(cells.count, Cells::most);
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < kept; ++i) numbers += parse_decimal(cells.cell[i]).has_value();
    return numbers * 2 > kept;
}

std::vector<std::string> names_of(const Cells& cells)
{
    const auto kept = static_cast<std::ptrdiff_t>(std::min(cells.count, Cells::most));
    return {cells.cell.begin(), cells.cell.begin() + kept};
}

struct Where {
    std::string place;
    std::string fix;
    Exit exit;
};

/// Columns by their names, in `layout`.
void assign(CsvLayout& layout, const std::vector<std::string>& names, const Where& where)
{
    const auto refuse = [&](const std::string& expected) {
        return UserError(
            {where.place, expected, fmt::format("'{}'", fmt::join(names, ",")), where.fix},
            where.exit);
    };
    layout.column.fill(CsvLayout::absent);
    layout.cells = names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto field = field_of(names[i]);
        if (!field) continue;
        if (layout.column[*field] != CsvLayout::absent)
            throw refuse(fmt::format("one column of {} (both '{}' and '{}' could be it)",
                                     field_names[*field], layout.name[*field], names[i]));
        layout.column[*field] = static_cast<int>(i);
        layout.name[*field] = names[i];
    }
    // An index column without a name is how pandas writes the time.
    if (layout.column[time_field] == CsvLayout::absent && !names.empty() && names[0].empty()) {
        layout.column[time_field] = 0;
        layout.name[time_field] = "time";
    }
    for (const auto field : {time_field, open_field, high_field, low_field, close_field})
        if (layout.column[field] == CsvLayout::absent)
            throw refuse(fmt::format("a column of {}", field_names[field]));
}

std::vector<std::string> split_names(const std::string& columns)
{
    Cells cells;
    cells.split(columns, ',');
    return names_of(cells);
}

const std::vector<std::string> ohlc_order{"time", "open", "high", "low", "close", "volume"};
const std::vector<std::string> bitfinex_order{"time", "open", "close", "high", "low", "volume"};
const std::vector<std::string> binance_order{"time",
                                             "open",
                                             "high",
                                             "low",
                                             "close",
                                             "volume",
                                             "close_time",
                                             "quote_volume",
                                             "trades",
                                             "taker_volume",
                                             "taker_quote_volume",
                                             "ignored"};

/// The order of a file without a header, where nobody named it: told only by what is impossible.
std::vector<std::string> order_of(CsvLayout& layout, const std::string& name, std::string_view text,
                                  std::size_t cells)
{
    if (cells == binance_order.size()) {
        layout.note = "no header and 12 columns: read as Binance klines";
        return binance_order;
    }
    if (cells == ohlc_order.size()) {
        const auto fits = test_orders(text, layout.delimiter);
        if (fits.bitfinex && !fits.ohlc) {
            layout.note =
                "no header; only time,open,close,high,low,volume (Bitfinex) fits the rows";
            return bitfinex_order;
        }
        if (fits.ohlc && !fits.bitfinex) {
            layout.note = "no header; only time,open,high,low,close,volume fits the rows";
            return ohlc_order;
        }
    }
    throw UserError({name, "a header line that names the columns",
                     fmt::format("{} columns without names, whose order can't be told", cells),
                     "say --format bitfinex or binance, or name them in order: "
                     "--columns time,open,high,low,close,volume"});
}

/// The first line that is data or a header; lines before it that are neither are put into
/// `preamble`. False: the file ends first.
bool find_start(LineReader& lines, Cells& cells, CsvLayout& layout,
                std::vector<std::string>& preamble, bool& data)
{
    constexpr std::size_t most_lines = 10;
    std::string_view line;
    while (preamble.size() < most_lines && lines.next(line)) {
        if (line.empty() || line.front() == '#') continue;
        layout.delimiter = delimiter_of(line);
        cells.split(line, layout.delimiter);
        data = is_data(cells);
        const auto names = names_of(cells);
        if (data ||
            std::ranges::count_if(names, [](const auto& n) { return field_of(n).has_value(); }) > 1)
            return true;
        preamble.emplace_back(line.substr(0, 120));
    }
    return false;
}

}  // namespace

CsvLayout find_layout(const std::string& name, std::string_view text, CsvFormat format,
                      const std::string& columns)
{
    LineReader lines{text};
    CsvLayout layout;
    Cells cells;
    std::vector<std::string> preamble;
    bool data = false;
    const bool found = find_start(lines, cells, layout, preamble, data);
    if (!found && preamble.empty())
        throw UserError({name + ":1", "bars", "no data rows", "give a file with bars in it"});
    const bool named =
        !columns.empty() || format == CsvFormat::binance || format == CsvFormat::bitfinex;
    if ((!found || (data && !preamble.empty())) && !named)
        throw UserError({name + ":1", "a header line that names time, open, high, low and close",
                         fmt::format("'{}'", preamble.front()),
                         "name the columns in order with --columns"});

    layout.first_line = lines.number() + (data ? 0 : 1);
    if (!preamble.empty())
        layout.note = fmt::format("lines before the data: '{}'", preamble.front());
    const Where given{"--columns", "name time, open, high, low and close once each", Exit::usage};
    const Where header{fmt::format("{}:{}", name, lines.number()),
                       "name the columns in order with --columns", Exit::bad_input};
    if (!columns.empty())
        assign(layout, split_names(columns), given);
    else if (!data && found)
        assign(layout, names_of(cells), header);
    else if (format == CsvFormat::binance)
        assign(layout, binance_order, header);
    else if (format == CsvFormat::bitfinex)
        assign(layout, bitfinex_order, header);
    else if (format == CsvFormat::csv)
        throw UserError(
            {header.place, "a header line that names the columns", "a row of numbers", header.fix});
    else
        assign(layout, order_of(layout, name, text, cells.count), header);
    return layout;
}

}  // namespace barsweep::bars
