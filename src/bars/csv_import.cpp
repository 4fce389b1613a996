#include "bars/csv_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "bars/csv_rows.hpp"
#include "bars/gaps.hpp"
#include "bars/import_order.hpp"
#include "bars/source_file.hpp"
#include "base/log.hpp"

namespace barsweep::bars {
namespace {

constexpr std::int64_t most_filled = 100'000'000;  ///< bars; a wrong interval would fill the memory

/// "data/merged.csv.gz" -> "merged", fit for the name of an HDF5 group.
std::string symbol_from(const std::filesystem::path& file)
{
    auto name = file.filename().string();
    name = name.substr(0, name.find('.'));
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
    return name.empty() ? "bars" : name;
}

Nanoseconds offset_of(const std::string& timezone)
{
    if (const auto offset = parse_zone(timezone)) return *offset;
    throw UserError(
        {"--timezone", "UTC or a fixed offset from it such as UTC-5 or +02:00",
         fmt::format("'{}'", timezone),
         "convert the file's times to UTC (there is no time-zone database here, and a zone "
         "with summer time has hours that come twice)"},
        Exit::usage);
}

/// The finest digits found, one scale for all prices and one for volumes.
void to_ticks(const std::vector<RawBar>& rows, const std::vector<std::string>& names,
              BarSeries& series)
{
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < 4; ++i)
            series.price_decimals = std::max<int>(series.price_decimals, row.places[i]);
        series.volume_decimals = std::max<int>(series.volume_decimals, row.places[4]);
    }
    const auto units = [&](const RawBar& row, std::size_t i, int places) {
        if (const auto value = to_units(row.value(i), places)) return *value;
        throw UserError({fmt::format("{}:{}", names[row.source], row.line),
                         fmt::format("numbers below 2^63 at the file's {} decimals", places),
                         to_text(row.digits[i], row.places[i]),
                         "round the file to fewer decimals"});
    };
    series.time.reserve(rows.size());
    series.ohlc.reserve(rows.size());
    series.volume.reserve(rows.size());
    for (const auto& row : rows) {
        const int places = series.price_decimals;
        series.time.push_back(row.time);
        series.ohlc.push_back({units(row, 0, places), units(row, 1, places), units(row, 2, places),
                               units(row, 3, places)});
        series.volume.push_back(units(row, 4, series.volume_decimals));
    }
}

/// What is odd but no fault: gaps, jumps, bars without trade, prices at or below zero.
void find_oddities(const std::vector<RawBar>& rows, const std::vector<std::string>& names,
                   const BarSeries& series, bool has_volume, double max_jump, Findings& findings)
{
    // A market can be full of them, so words are made only for the few that are kept.
    const auto add = [&](const char* kind, std::size_t i, const char* column, auto tell) {
        auto& list = findings[kind];
        if (++list.count > static_cast<std::int64_t>(most_findings)) return;
        const auto file = names.size() > 1 ? " in " + names[rows[i].source] : std::string{};
        list.first.push_back({rows[i].line, column, tell() + file});
    };
    const auto price = [&](std::int64_t ticks) { return to_text(ticks, series.price_decimals); };
    for (std::size_t i = 0; i < series.size(); ++i) {
        const auto low = series.ohlc[i][2], close = series.ohlc[i][3];
        if (has_volume && series.volume[i] == 0)
            add("zero_volume", i, "volume", [] { return std::string{"no volume"}; });
        if (low <= 0) add("nonpositive_price", i, "low", [&] { return price(low); });
        if (i == 0) continue;
        const auto before = series.ohlc[i - 1][3];
        const auto change = static_cast<double>(close) - static_cast<double>(before);
        if (before > 0 && std::abs(change) > max_jump * static_cast<double>(before))
            add("jump", i, "close", [&] { return price(close) + " after " + price(before); });
        const auto earlier = series.time[i - 1];
        if (const auto missing = bars_between(earlier, series.time[i], series.interval);
            missing > 0)
            add("gap", i, "",
                [&] { return fmt::format("{} missing after {}", missing, to_iso8601(earlier)); });
    }
}

void treat_gaps(Gaps policy, const std::vector<std::string>& names, BarSeries& series,
                Findings& findings)
{
    const auto [gaps, missing] = count_gaps(series);
    if (gaps == 0 || policy == Gaps::report) return;
    const auto& first = findings.at("gap").first.front();
    if (policy == Gaps::error)
        throw UserError({fmt::format("{}:{}", names[0], first.line), "bars without a gap",
                         fmt::format("{} ({} gaps in all)", first.what, gaps),
                         "say --gaps report to keep the gaps, or --gaps fill"});
    if (missing > most_filled)
        throw UserError({names[0], fmt::format("at most {} bars to fill in", most_filled),
                         fmt::format("{}", missing), "say --gaps report"});
    fill_gaps(series);
    findings["filled_bar"].count = missing;
}

}  // namespace

Import import_csv(const std::vector<std::filesystem::path>& files, const ImportOptions& options)
{
    Import import;
    auto& [series, info] = import;
    const RowRules rules{offset_of(options.timezone), std::min(options.decimals, most_places),
                         options.allow_nonpositive};
    info.timezone = options.timezone;
    series.symbol = options.symbol.empty() ? symbol_from(files.at(0)) : options.symbol;

    std::vector<RawBar> rows;
    std::vector<std::string> names;
    bool has_volume = true;
    for (const auto& file : files) {
        const auto source = read_source(file);
        const auto layout = find_layout(source.name, source.text, options.format, options.columns);
        if (!layout.note.empty())
            add_finding(info.findings, "assumed", {layout.first_line, "", layout.note});
        has_volume = has_volume && layout.column[volume_field] != CsvLayout::absent;
        Faults faults;
        read_rows(source.name, source.text, layout, rules, static_cast<std::uint16_t>(names.size()),
                  rows, faults, info.findings);
        faults.refuse();
        names.push_back(source.name);
        info.sources.push_back(file.filename().string() + " " + source.sha256);
    }
    put_in_order(rows, options, names, info.findings);
    to_ticks(rows, names, series);
    series.interval = commonest_step(series.time);
    find_oddities(rows, names, series, has_volume, options.max_jump, info.findings);
    treat_gaps(options.gaps, names, series, info.findings);
    compute_sigma(series);
    info.canonical_sha256 = canonical_sha256(series);
    return import;
}

}  // namespace barsweep::bars
