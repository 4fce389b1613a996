#include "cli/store_summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bars/gaps.hpp"
#include "base/decimal.hpp"
#include "base/time.hpp"

namespace barsweep::cli {
namespace {

using Json = nlohmann::ordered_json;

Json instant(Nanoseconds time)
{
    return {{"iso8601", to_iso8601(time)}, {"ns", time}};
}

std::int64_t count_of(const bars::Findings& findings, const char* kind)
{
    const auto found = findings.find(kind);
    return found == findings.end() ? 0 : found->second.count;
}

/// Source files may be in any encoding; JSON is UTF-8.
std::string dumped(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string summary_json(const bars::BarSeries& series, const bars::StoreInfo& info)
{
    const auto [gaps, missing] = bars::count_gaps(series);
    Json json{{"symbol", series.symbol},
              {"bars", series.size()},
              {"first", instant(series.time.front())},
              {"last", instant(series.time.back())},
              {"price_decimals", series.price_decimals},
              {"volume_decimals", series.volume_decimals},
              {"interval_ns", series.interval},
              {"gaps", gaps},
              {"missing_bars", missing},
              {"duplicates", count_of(info.findings, "duplicate") +
                                 count_of(info.findings, "conflicting_duplicate")},
              {"canonical_sha256", info.canonical_sha256}};
    const double ppy = bars::measured_ppy(series);
    json["ppy"] = std::isfinite(ppy) ? Json(ppy) : Json();
    if (!std::isfinite(ppy)) json["ppy_reason"] = "a single bar spans no time";
    json["features"] = info.features;
    json["timezone"] = info.timezone;
    json["sources"] = info.sources;
    json["created_by"] = info.created_by;
    json["findings"] = Json::object();
    for (const auto& [kind, list] : info.findings) {
        auto first = Json::array();
        for (const auto& finding : list.first)
            first.push_back(
                {{"line", finding.line}, {"column", finding.column}, {"what", finding.what}});
        json["findings"][kind] = {{"count", list.count}, {"first", first}};
    }
    return dumped(json);
}

std::string summary_text(const bars::BarSeries& series, const bars::StoreInfo& info)
{
    constexpr std::size_t shown = 3;
    const auto [gaps, missing] = bars::count_gaps(series);
    auto text = fmt::format(
        "symbol            {}\n"
        "bars              {}\n"
        "span              {} to {}\n"
        "interval          {} s\n"
        "gaps              {} ({} bars missing)\n"
        "decimals          {} of prices, {} of volumes\n"
        "bars a year       {:.3f}\n"
        "features          {}\n"
        "canonical_sha256  {}\n",
        series.symbol, series.size(), to_iso8601(series.time.front()),
        to_iso8601(series.time.back()), to_text(series.interval, 9), gaps, missing,
        series.price_decimals, series.volume_decimals, bars::measured_ppy(series),
        info.features == 0 ? "none" : fmt::format("{} of {}", info.features, info.features_type),
        info.canonical_sha256);
    for (const auto& source : info.sources) text += fmt::format("source            {}\n", source);
    for (const auto& [kind, list] : info.findings) {
        text += fmt::format("found             {} {}\n", list.count, kind);
        for (std::size_t i = 0; i < std::min(shown, list.first.size()); ++i) {
            const auto& [line, column, what] = list.first[i];
            text += fmt::format("                    line {}{}{}: {}\n", line,
                                column.empty() ? "" : ", ", column, what);
        }
        if (list.count > static_cast<std::int64_t>(shown) && !list.first.empty())
            text += fmt::format("                    and {} more\n",
                                list.count - static_cast<std::int64_t>(shown));
    }
    return text;
}

}  // namespace barsweep::cli
