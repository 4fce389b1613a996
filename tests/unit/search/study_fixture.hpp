#pragma once
#include <unistd.h>

#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "search/journal.hpp"
#include "search/study.hpp"

namespace barsweep::search::tests {

/// A folder of its own, gone with the object; in memory where there is such a place, since these
/// tests sync thousands of times.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name =
            (std::filesystem::temp_directory_path() / "barsweep-search-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

    /// Files whose name holds `part`.
    std::vector<std::filesystem::path> files(const std::string& part) const
    {
        std::vector<std::filesystem::path> found;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            if (entry.path().filename().string().find(part) != std::string::npos)
                found.push_back(entry.path());
        return found;
    }

private:
    std::filesystem::path path_;
};

inline std::string read(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write(const std::filesystem::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

inline std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

inline std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    return text;
}

/// A ledger's records without what may differ between two runs of one job.
inline std::vector<std::string> stable(const std::string& text)
{
    std::vector<std::string> lines = lines_of(text);
    for (auto& line : lines) line = std::string(journal::stable_part(line));
    return lines;
}

inline StudyPlan small_plan(std::int64_t trials = 6)
{
    StudyPlan plan;
    plan.name = "small";
    plan.trials = trials;
    plan.rungs = {100, 300};
    plan.sampler = {SamplerKind::random, 4};
    plan.pruner = {PrunerKind::halving, 2, 5, 0};
    plan.space = parse_space(
        {{"fast", "int 2 40"}, {"gamma", "float 0.9 0.999"}, {"rule", "choice a b"}}, "job.ini");
    plan.identity = {{"study.name", "small"},
                     {"study.trials", trials},
                     {"study.timeout", "2h"},
                     {"data.sha256", "ab12"}};
    return plan;
}

/// A pure function of trial and rung, with an undefined first score, a failure and an undefined
/// last score among the results.
inline Report report_of(const Trial& trial, int rung)
{
    Report report;
    report.trial = trial.number;
    report.rung = rung;
    report.score = std::get<double>(trial.params.at("gamma")) * (rung + 1) +
                   static_cast<double>(std::get<std::int64_t>(trial.params.at("fast")));
    report.metrics = {{"sharpe", report.score}, {"trades", 7}};
    report.seconds = 0.25;
    report.device = "cpu";
    if (trial.number % 5 == 1 && rung == 0) report.failure = "no bars \"left\"";
    if (trial.number % 5 == 2 || (trial.number % 5 == 0 && rung == 1)) {
        report.score = std::nan("");
        report.reason = "fewer than 10 trades";
    }
    return report;
}

using Compute = std::function<Report(const Trial&, int)>;

enum class Commit { every_decision, once };

/// Runs a study of two trials in flight, oldest report first. Returns how many rungs were computed
/// instead of taken from the ledger.
inline int run_study(Study& study, Ledger& ledger, Commit commit,
                     const Compute& compute = report_of)
{
    struct Flight {
        Trial trial;
        int rung = 0;
    };
    std::deque<Flight> flights;
    int computed = 0;
    const auto fill = [&] {
        while (flights.size() < 2) {
            auto trial = study.ask();
            if (!trial) break;
            flights.push_back({std::move(*trial)});
        }
        if (commit == Commit::every_decision) ledger.commit();
    };
    for (fill(); !flights.empty(); fill()) {
        Flight flight = std::move(flights.front());
        flights.pop_front();
        auto report = study.recorded(flight.trial.number, flight.rung);
        if (!report) {
            report = compute(flight.trial, flight.rung);
            ++computed;
        }
        if (study.tell(*report) == Decision::finished) continue;
        ++flight.rung;
        flights.push_back(std::move(flight));
    }
    if (const auto* best = study.best()) study.note("winner", best->trial.number);
    ledger.commit();
    return computed;
}

/// A whole start of the program on a ledger.
inline int start(const std::filesystem::path& path, StudyPlan plan = small_plan(),
                 Commit commit = Commit::every_decision)
{
    Ledger ledger(path);
    Study study(std::move(plan), ledger);
    return run_study(study, ledger, commit);
}

}  // namespace barsweep::search::tests
