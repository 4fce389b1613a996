#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/ranking.hpp"

namespace barsweep::report {
namespace {

using Row = std::vector<std::string>;

std::string number(double value)
{
    return std::isnan(value) ? "-" : fmt::format("{:.5g}", value);
}

/// Doubles short enough for a table; the exact values stand in the CSV and the ledger.
std::string cell(const search::Value& value)
{
    const auto* real = std::get_if<double>(&value);
    return real ? number(*real) : search::to_text(value);
}

bool reads_as_number(const std::string& text)
{
    return text.find_first_not_of("+-.0123456789einfa") == std::string::npos;
}

std::string metric(const Metrics& metrics, const std::string& key)
{
    const auto found = metrics.values.find(key);
    return found == metrics.values.end() ? "-" : number(found->second);
}

Row trial_row(const search::TrialRecord& record, const std::vector<std::string>& parameters)
{
    Row row{std::to_string(record.trial.number), name(record.state), number(shown_score(record)),
            record.rungs.empty() ? "-" : std::to_string(record.rungs.back().step)};
    for (const auto& parameter : parameters) {
        const auto found = record.trial.params.find(parameter);
        row.push_back(found == record.trial.params.end() ? "-" : cell(found->second));
    }
    row.push_back(record.cause);
    return row;
}

std::string rest_line(const std::vector<const search::TrialRecord*>& order, std::size_t shown)
{
    std::map<search::TrialState, int> counts;
    for (std::size_t i = shown; i < order.size(); ++i) ++counts[order[i]->state];
    std::string line = fmt::format("... and {} more:", order.size() - shown);
    const char* separator = " ";
    for (const auto state : {search::TrialState::complete, search::TrialState::pruned,
                             search::TrialState::fail, search::TrialState::running})
        if (counts[state] > 0) {
            line += fmt::format("{}{} {}", separator, counts[state], name(state));
            separator = ", ";
        }
    return line + "\n";
}

}  // namespace

std::string align(const std::vector<Row>& rows)
{
    if (rows.empty()) return {};
    const std::size_t columns = rows.front().size();
    std::vector<std::size_t> width(columns, 0);
    std::vector<bool> right(columns, rows.size() > 1);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t c = 0; c < columns; ++c) {
            width[c] = std::max(width[c], rows[i][c].size());
            if (i > 0 && !reads_as_number(rows[i][c])) right[c] = false;
        }

    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c) {
            if (c > 0) line += "  ";
            line += right[c] ? fmt::format("{:>{}}", row[c], width[c])
                             : fmt::format("{:<{}}", row[c], c + 1 < columns ? width[c] : 0);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string trials_table(const Summary& summary, std::size_t top)
{
    const auto parameters = parameter_names(summary);
    const auto order = ranked(summary);
    const std::size_t shown = std::min(top, order.size());

    Row header{"trial", "state", summary.score, "bars"};
    header.insert(header.end(), parameters.begin(), parameters.end());
    header.emplace_back("cause");

    std::vector<Row> rows{header};
    for (std::size_t i = 0; i < shown; ++i) rows.push_back(trial_row(*order[i], parameters));
    auto text = align(rows);
    if (shown < order.size()) text += rest_line(order, shown);
    return text;
}

std::string winner_table(const Summary& summary)
{
    std::string text;
    const auto* best = summary.best ? find_trial(summary, *summary.best) : nullptr;
    if (best) {
        text += fmt::format("winner: trial {}, {} {}", best->trial.number, summary.score,
                            number(best->value));
        for (const auto& [parameter, value] : best->trial.params)
            text += fmt::format(", {} {}", parameter, cell(value));
        text += "\n\n";
    }
    if (best && summary.validation && summary.test) {
        const auto& [validation, test] = std::tie(*summary.validation, *summary.test);
        std::set<std::string> names;
        for (const auto* metrics : {&validation.winner, &test.winner}) {
            for (const auto& [key, value] : metrics->values) names.insert(key);
            for (const auto& [key, reason] : metrics->reasons) names.insert(key);
        }
        std::vector<Row> rows{
            {"", "validation", "buy and hold", "flat", "test", "buy and hold", "flat"}};
        for (const auto& key : names)
            rows.push_back({key, metric(validation.winner, key),
                            metric(validation.buy_and_hold, key), metric(validation.flat, key),
                            metric(test.winner, key), metric(test.buy_and_hold, key),
                            metric(test.flat, key)});
        text += align(rows) + "\n";
    }
    return text + "verdict: " + summary.verdict + "\n";
}

}  // namespace barsweep::report
