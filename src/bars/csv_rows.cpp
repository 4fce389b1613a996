#include "bars/csv_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bars/csv_cells.hpp"

namespace barsweep::bars {
namespace {

constexpr std::size_t high = 1, low = 2, volume = 4;  // in RawBar

/// What can be wrong with one row of one file, told as a Problem.
class RowFaults {
public:
    RowFaults(const std::string& name, const CsvLayout& layout, Faults& faults)
        : name_(name), layout_(layout), faults_(faults)
    {
    }

    void add(std::int64_t line, const std::string& column, const std::string& expected,
             const std::string& found, const std::string& fix)
    {
        if (faults_.first) {
            ++faults_.more;
            return;
        }
        const auto where = fmt::format("{}:{}", name_, line);
        faults_.first =
            Problem{column.empty() ? where : where + ", column " + column, expected, found, fix};
    }

    void add_cell(std::int64_t line, Field field, const std::string& expected,
                  std::string_view cell, const std::string& fix = "correct the row or take it out")
    {
        const auto found = cell.empty() ? "a blank cell" : fmt::format("'{}'", cell.substr(0, 60));
        add(line, layout_.name[field], expected, found, fix);
    }

private:
    const std::string& name_;
    const CsvLayout& layout_;
    Faults& faults_;
};

struct RowReader {
    const CsvLayout& layout;
    const RowRules& rules;
    RowFaults& faults;

    bool read(const Cells& cells, std::int64_t line, RawBar& bar) const
    {
        if (cells.count != layout.cells) {
            faults.add(line, missing_column(cells.count), fmt::format("{} cells", layout.cells),
                       fmt::format("{}", cells.count), "complete the row or take it out");
            return false;
        }
        const auto time_cell = cell(cells, time_field);
        const auto time = parse_timestamp(time_cell, rules.offset);
        if (!time) {
            faults.add_cell(line, time_field, "a time", time_cell,
                            "write times as 2015-12-31T23:59:00Z or as a count since 1970");
            return false;
        }
        bar.time = *time;
        for (std::size_t i = 0; i < bar.digits.size(); ++i)
            if (!read_number(cells, line, i, bar)) return false;
        return is_bar(cells, line, bar);
    }

private:
    std::string_view cell(const Cells& cells, Field field) const
    {
        return cells.cell[static_cast<std::size_t>(layout.column[field])];
    }

    /// The first named column that a short row lacks.
    std::string missing_column(std::size_t count) const
    {
        std::string name;
        int first = CsvLayout::absent;
        for (std::size_t i = 0; i < fields; ++i)
            if (const int column = layout.column[i];
                column >= static_cast<int>(count) &&
                (first == CsvLayout::absent || column < first)) {
                first = column;
                name = layout.name[i];
            }
        return name;
    }

    bool read_number(const Cells& cells, std::int64_t line, std::size_t i, RawBar& bar) const
    {
        const auto field = static_cast<Field>(i + 1);
        bar.digits[i] = 0;
        bar.places[i] = 0;
        if (layout.column[field] == CsvLayout::absent) return true;
        const auto text = cell(cells, field);
        const auto value = parse_decimal(text);
        if (!value) {
            faults.add_cell(line, field, i == volume ? "a volume" : "a price", text);
            return false;
        }
        const int places = i == volume ? most_places : rules.price_places;
        if (value->places > places) {
            faults.add_cell(line, field, fmt::format("at most {} decimals", places), text,
                            places < most_places ? "raise --decimals or round the file"
                                                 : "round the file; a tick is no finer than 10^-9");
            return false;
        }
        if (i == volume ? value->digits < 0 : value->digits <= 0 && !rules.allow_nonpositive) {
            faults.add_cell(
                line, field, i == volume ? "a volume of 0 or more" : "a price above 0", text,
                i == volume ? "correct the row or take it out"
                            : "correct the row, or say --allow-nonpositive if it is real");
            return false;
        }
        bar.digits[i] = value->digits;
        bar.places[i] = static_cast<std::uint8_t>(value->places);
        return true;
    }

    bool is_bar(const Cells& cells, std::int64_t line, const RawBar& bar) const
    {
        for (std::size_t i = 0; i < volume; ++i) {
            const auto field = static_cast<Field>(i + 1);
            const bool above = compare(bar.value(i), bar.value(high)) > 0;
            if (!above && compare(bar.value(i), bar.value(low)) >= 0) continue;
            const auto bound = above ? high_field : low_field;
            faults.add_cell(
                line, bound,
                fmt::format("a {} no {} than the {} of '{}'", above ? "high" : "low",
                            above ? "lower" : "higher", field_names[field], cell(cells, field)),
                cell(cells, bound));
            return false;
        }
        return true;
    }
};

}  // namespace

void Faults::refuse() const
{
    if (!first) return;
    auto problem = *first;
    if (more > 0)
        problem.found += fmt::format(" (and {} more bad row{})", more, more == 1 ? "" : "s");
    throw UserError(std::move(problem));
}

void read_rows(const std::string& name, std::string_view text, const CsvLayout& layout,
               const RowRules& rules, std::uint16_t source, std::vector<RawBar>& rows,
               Faults& faults, Findings& findings)
{
    RowFaults row_faults{name, layout, faults};
    const RowReader reader{layout, rules, row_faults};
    LineReader lines{text};
    Cells cells;
    RawBar bar{};
    bar.source = source;
    const auto before = rows.size();
    rows.reserve(before + text.size() / 48);
    for (std::string_view line; lines.next(line);) {
        if (lines.number() < layout.first_line) continue;
        if (line.empty() || line.front() == '#') {
            add_finding(
                findings, line.empty() ? "blank_line" : "comment_line",
                {lines.number(), "", std::string{line.empty() ? "blank" : line.substr(0, 120)}});
            continue;
        }
        if (lines.number() > UINT32_MAX)
            throw UserError({name, "at most 2^32 lines", "more", "split the file"});
        cells.split(line, layout.delimiter);
        bar.line = static_cast<std::uint32_t>(lines.number());
        if (reader.read(cells, lines.number(), bar)) rows.push_back(bar);
    }
    if (rows.size() == before && !faults.first)
        throw UserError({fmt::format("{}:{}", name, layout.first_line), "bars", "no data rows",
                         "give a file with bars in it"});
}

}  // namespace barsweep::bars
