#include "report/csv.hpp"

#include <cmath>
#include <set>

#include "report/ranking.hpp"

namespace barsweep::report {
namespace {

std::string quoted(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + "\"";
}

std::string real(double value)
{
    return std::isnan(value) ? "" : search::to_text(value);
}

std::string joined(const std::vector<std::string>& cells)
{
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (c > 0) line += ',';
        line += quoted(cells[c]);
    }
    return line + "\n";
}

}  // namespace

std::string trials_csv(const Summary& summary)
{
    const auto parameters = parameter_names(summary);
    std::set<std::string> metrics;
    for (const auto& record : summary.trials)
        if (record.last)
            for (const auto& [key, value] : record.last->metrics) metrics.insert(key);

    std::vector<std::string> header{"trial", "state", "value", "bars", "seconds"};
    header.insert(header.end(), parameters.begin(), parameters.end());
    for (const auto& key : metrics) header.push_back("metric." + key);
    header.emplace_back("cause");

    std::string text = joined(header);
    for (const auto& record : summary.trials) {
        std::vector<std::string> cells{
            std::to_string(record.trial.number), name(record.state), real(shown_score(record)),
            record.rungs.empty() ? "" : std::to_string(record.rungs.back().step),
            real(record.seconds)};
        for (const auto& parameter : parameters) {
            const auto found = record.trial.params.find(parameter);
            cells.push_back(found == record.trial.params.end() ? ""
                                                               : search::to_text(found->second));
        }
        for (const auto& key : metrics) {
            const bool known = record.last && record.last->metrics.contains(key);
            cells.push_back(known ? real(record.last->metrics.at(key)) : "");
        }
        cells.push_back(record.cause);
        text += joined(cells);
    }
    return text;
}

}  // namespace barsweep::report
