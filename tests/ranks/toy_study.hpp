#pragma once
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/coordinator.hpp"
#include "search/json_text.hpp"
#include "search/ledger.hpp"
#include "search/study.hpp"

namespace barsweep::cluster {

/// A folder of its own that goes with it.
struct ScratchFolder {
    std::filesystem::path path;

    ScratchFolder()
    {
        auto name = (std::filesystem::temp_directory_path() / "barsweep-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("no scratch folder: " + name);
        path = name;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() { std::filesystem::remove_all(path); }
};

/// A study of formulas instead of agents: 3 rungs, halving, failures and undefined scores among
/// them.
inline search::StudyPlan toy_plan(std::int64_t trials)
{
    search::StudyPlan plan;
    plan.name = "toy";
    plan.seed = 11;
    plan.trials = trials;
    plan.rungs = {100, 300, 900};
    plan.sampler = {search::SamplerKind::random, 11};
    plan.pruner.kind = search::PrunerKind::halving;
    plan.space.parameters = {{"agent.fast", search::IntRange{1, 50}},
                             {"agent.rate", search::FloatRange{0.1, 10, true}}};
    return plan;
}

inline std::int64_t fast(const search::Trial& trial)
{
    return std::get<std::int64_t>(trial.params.at("agent.fast"));
}

inline double toy_cost(const search::Trial& trial, int rung)
{
    return (rung + 1) * static_cast<double>(fast(trial));
}

/// A pure function of the trial's parameters and the rung.
inline search::Report toy_report(const Task& task)
{
    const auto& [number, params] = task.trial;
    const double rate = std::get<double>(params.at("agent.rate"));
    if (number % 11 == 7 && task.rung == 1) throw std::runtime_error("diverged at bar 217");
    search::Report report;
    report.trial = number;
    report.rung = task.rung;
    report.score = std::sin(rate * 100 + task.rung);
    if (number % 7 == 3 && task.rung == 0) {
        report.score = std::numeric_limits<double>::quiet_NaN();
        report.reason = "no trades";
    }
    report.metrics = {{"sharpe", report.score < 2 ? report.score : 0}, {"third", 1.0 / 3}};
    return report;
}

/// The same, with what it throws as the report's failure.
inline search::Report safe_toy_report(const Task& task)
{
    try {
        return toy_report(task);
    } catch (const std::exception& error) {
        search::Report report;
        report.trial = task.trial.number;
        report.rung = task.rung;
        report.failure = error.what();
        return report;
    }
}

/// Takes out, at any depth, what may differ between two runs of a job (SEMANTICS 8): worker ids,
/// dates, seconds, ranks and devices.
inline void drop_circumstances(nlohmann::json& value)
{
    if (!value.is_object()) return;
    for (const char* key :
         {"worker_id", "datetime_start", "datetime_complete", "seconds", "rank", "device"})
        value.erase(key);
    for (auto& part : value) drop_circumstances(part);
}

/// The records of a ledger, comparable with those of another run.
inline std::vector<std::string> comparable(const std::filesystem::path& ledger)
{
    std::vector<std::string> records;
    std::ifstream file{ledger};
    for (std::string line; std::getline(file, line);) {
        auto record = nlohmann::json::parse(search::strict_json(line));
        drop_circumstances(record);
        records.push_back(record.dump());
    }
    return records;
}

/// The ledger that one worker makes who does one task after another, in the order they come.
inline std::vector<std::string> ledger_of_one_worker(std::int64_t trials, int slots)
{
    const ScratchFolder folder;
    const auto path = folder.path / "ledger.jsonl";
    search::Ledger ledger{path};
    search::Study study{toy_plan(trials), ledger};
    Coordinator coordinator{study, slots, toy_cost};
    coordinator.on_join(0, 1);
    while (!coordinator.done()) {
        const auto task = coordinator.take_assignments().at(0).task;
        coordinator.on_report(0, safe_toy_report(task));
    }
    ledger.commit();
    return comparable(path);
}

}  // namespace barsweep::cluster
