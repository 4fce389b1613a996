#include "sim/actions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bars/csv_cells.hpp"
#include "bars/source_file.hpp"
#include "base/error.hpp"
#include "base/number.hpp"

namespace barsweep::sim {
namespace {

struct Columns {
    std::size_t bar, wanted;
    std::string name;  ///< of `wanted`
};

/// The first of `names` that the header has, or its size.
std::size_t find_column(const bars::Cells& header, const std::vector<std::string>& names)
{
    const auto* begin = header.cell.data();
    const auto* end = begin + std::min(header.count, header.most);
    for (const auto& name : names) {
        if (const auto* found = std::find(begin, end, name); found != end) {
            return static_cast<std::size_t>(found - begin);
        }
    }
    return header.most;
}

Columns find_columns(const std::string& file, const bars::Cells& header, const std::string& column)
{
    const std::vector<std::string> known{"level", "units", "target_units"};
    const auto bar = find_column(header, {"bar"});
    const auto wanted = find_column(header, column.empty() ? known : std::vector{column});
    if (bar == header.most || wanted == header.most) {
        throw UserError(
            {file + " line 1",
             fmt::format("the columns bar and {}",
                         column.empty() ? "level, units or target_units" : column),
             fmt::format("{}",
                         fmt::join(header.cell.data(),
                                   header.cell.data() + std::min(header.count, header.most), ",")),
             "name them in the first line, or pick one with --column"});
    }
    return {bar, wanted, std::string{header.cell[wanted]}};
}

/// One line's place in the file, for its faults.
struct Place {
    const std::string& file;
    std::int64_t line;

    [[noreturn]] void refuse(const std::string& column, const std::string& expected,
                             std::string_view found) const
    {
        throw UserError({fmt::format("{} line {}, column {}", file, line, column), expected,
                         fmt::format("'{}'", found), "correct that line"});
    }
};

std::int64_t read_bar(const Place& place, std::string_view text, std::int64_t from,
                      std::int64_t bars)
{
    const auto bar = parse_number<std::int64_t>(text);
    if (!bar || *bar < from || *bar >= bars) {
        place.refuse(
            "bar",
            fmt::format("a bar of the store, counted from 0, rising ({} to {})", from, bars - 1),
            text);
    }
    return *bar;
}

Decimal read_wanted(const Place& place, const Columns& columns, bool units, std::string_view text)
{
    const auto value = parse_decimal(text);
    if (!value) place.refuse(columns.name, "a decimal number", text);
    if (units) return *value;
    const auto ppm = to_units(*value, 6);
    if (!ppm || *ppm < -kernels::million || *ppm > kernels::million) {
        place.refuse(columns.name, "an exposure from -1 to 1 of at most 6 decimals", text);
    }
    return *value;
}

}  // namespace

Actions read_actions(const std::filesystem::path& path, std::int64_t bars,
                     const std::string& column)
{
    const auto source = bars::read_source(path);
    bars::LineReader lines{source.text};
    std::string_view line;
    bars::Cells cells;
    cells.split(lines.next(line) ? line : std::string_view{}, ',');
    const auto columns = find_columns(source.name, cells, column);

    Actions actions;
    actions.units = columns.name.ends_with("units");
    actions.wanted.reserve(static_cast<std::size_t>(bars));
    Decimal held;
    while (lines.next(line)) {
        if (line.empty()) continue;
        const Place place{source.name, lines.number()};
        cells.split(line, ',');
        if (cells.count <= std::max(columns.bar, columns.wanted)) {
            place.refuse(columns.name, "a line with as many columns as the first", line);
        }
        const auto from = static_cast<std::int64_t>(actions.wanted.size());
        const auto bar = read_bar(place, cells.cell[columns.bar], from, bars);
        actions.wanted.resize(static_cast<std::size_t>(bar), held);
        held = read_wanted(place, columns, actions.units, cells.cell[columns.wanted]);
        actions.wanted.push_back(held);
    }
    actions.wanted.resize(static_cast<std::size_t>(bars), held);
    return actions;
}

Decimal finest_unit(const Actions& actions)
{
    int places = 0;
    for (const auto& wanted : actions.wanted) places = std::max(places, wanted.places);
    return {1, places};
}

Wanted wants_of(const Actions& actions, int lot_decimals, bars::Window window,
                const std::string& where)
{
    const int places = actions.units ? lot_decimals : 6;
    Wanted wanted;
    wanted.reserve(static_cast<std::size_t>(window.decisions()));
    for (auto bar = window.first; bar < window.last; ++bar) {
        const auto value = actions.wanted[static_cast<std::size_t>(bar)];
        const auto units = to_units(value, places);
        if (!units) {
            throw UserError({where + fmt::format(", bar {}", bar),
                             fmt::format("at most {} decimals (account.lot_decimals)", places),
                             to_text(value.digits, value.places),
                             "round the units or give finer account.lot_decimals"});
        }
        wanted.push_back(*units);
    }
    return wanted;
}

}  // namespace barsweep::sim
