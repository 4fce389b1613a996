/// `bench_search resume TRIALS PARAMETERS SAMPLER [FOLDER]`: makes a study of so many recorded
/// trials (three rungs, halving), then starts on its ledger again. `bench_search ask TRIALS
/// PARAMETERS SAMPLER`: ask and tell, the mean of the last hundred trials. CSV on stdout: what,
/// value, unit; processor time, and the process's largest resident memory of the resume alone.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include "search/study.hpp"

using namespace barsweep::search;

namespace {

double processor_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

StudyPlan plan_of(std::int64_t trials, int parameters, const std::string& sampler)
{
    StudyPlan plan;
    plan.name = "bench";
    plan.trials = trials;
    plan.rungs = {1000, 3000, 9000};
    plan.pruner = {PrunerKind::halving, 3};
    const auto& names = sampler_names();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == sampler) plan.sampler = {static_cast<SamplerKind>(i), 7};
    std::vector<std::pair<std::string, std::string>> lines;
    const char* const forms[] = {"log 1e-5 1e-2", "float 0.9 0.999", "int 10 240 step 10",
                                 "choice 64,64 128,128 256,256", "intlog 16 512"};
    for (int i = 0; i < parameters; ++i)
        lines.emplace_back("agent.parameter_" + std::to_string(i), forms[i % 5]);
    plan.space = parse_space(lines, "bench");
    return plan;
}

Report report_of(const Trial& trial, int rung)
{
    Report report;
    report.trial = trial.number;
    report.rung = rung;
    double sum = 0;
    for (const auto& [name, value] : trial.params)
        if (const auto* x = std::get_if<double>(&value)) sum += std::sin(1000 * *x);
    report.score = sum + 0.1 * rung;
    report.metrics = {
        {"sharpe", report.score}, {"total_return", 0.01 * sum}, {"max_drawdown", 0.1}};
    report.seconds = 0.125;
    report.device = "cpu";
    return report;
}

/// A line of /proc/self/status, in MB: RssAnon, RssFile.
double resident(const std::string& name)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1)) / 1e3;
    return 0;
}

/// Runs what is left. How many rungs were computed.
std::int64_t run(Study& study, Ledger& ledger)
{
    std::int64_t computed = 0;
    while (const auto trial = study.ask()) {
        for (auto decision = Decision::go_on; decision == Decision::go_on;) {
            const int rung = study.due(trial->number);
            const auto known = study.recorded(trial->number, rung);
            computed += !known;
            decision = study.tell(known ? *known : report_of(*trial, rung));
        }
        if (trial->number % 1000 == 999) ledger.commit();
    }
    ledger.commit();
    return computed;
}

int resume(const StudyPlan& plan, const std::filesystem::path& path)
{
    if (const pid_t child = fork(); child == 0) {  // its memory isn't the resume's
        Ledger ledger(path);
        Study study(plan, ledger);
        run(study, ledger);
        std::_Exit(0);
    } else
        waitpid(child, nullptr, 0);
    const double before = resident("RssAnon") + resident("RssFile");  // LibTorch's, linked beside
    const double begun = processor_seconds(), wall = wall_seconds();
    Ledger ledger(path);
    Study study(plan, ledger);
    const auto computed = run(study, ledger);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("trials,%zu,\nparameters,%zu,\nledger,%.0f,MB\ncomputed again,%lld,rungs\n",
                study.trials().size(), plan.space.parameters.size(),
                static_cast<double>(std::filesystem::file_size(path)) / 1e6,
                static_cast<long long>(computed));
    std::printf("resume,%.2f,s of processor\nresume,%.2f,s\nmemory,%.0f,MB\n",
                processor_seconds() - begun, wall_seconds() - wall,
                static_cast<double>(usage.ru_maxrss) * 1024 / 1e6);
    std::printf("of it before the study,%.0f,MB\n", before);
    return 0;
}

int ask(const StudyPlan& plan, const std::filesystem::path& path)
{
    Ledger ledger(path);
    Study study(plan, ledger);
    double told = 0, synced = 0;
    std::int64_t counted = 0;
    for (;;) {
        const double begun = processor_seconds();
        const auto trial = study.ask();
        if (!trial) break;
        for (auto decision = Decision::go_on; decision == Decision::go_on;)
            decision = study.tell(report_of(*trial, study.due(trial->number)));
        const double ended = processor_seconds(), wall = wall_seconds();
        ledger.commit();
        if (trial->number < plan.trials - 100) continue;
        ++counted;
        told += ended - begun;
        synced += wall_seconds() - wall;
    }
    std::printf("ask and tell at trial %lld,%.4f,ms of processor\nfsync,%.4f,ms\n",
                static_cast<long long>(plan.trials), 1e3 * told / static_cast<double>(counted),
                1e3 * synced / static_cast<double>(counted));
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 5) {
        std::fputs("usage: bench_search resume|ask TRIALS PARAMETERS SAMPLER [FOLDER]\n", stderr);
        return 2;
    }
    const std::filesystem::path parent =
        argc > 5 ? std::filesystem::path(argv[5]) : std::filesystem::temp_directory_path();
    auto folder = (parent / "bench-search-XXXXXX").string();
    if (!mkdtemp(folder.data())) return 5;
    const auto plan = plan_of(std::atoll(argv[2]), std::atoi(argv[3]), argv[4]);
    const auto path = std::filesystem::path(folder) / "ledger.jsonl";
    const int status = std::string(argv[1]) == "resume" ? resume(plan, path) : ask(plan, path);
    std::filesystem::remove_all(folder);
    return status;
}
