#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <cstdio>
#include <optional>

#include "bars/bar_store.hpp"
#include "base/log.hpp"
#include "base/whole_file.hpp"
#include "cli/failure.hpp"
#include "cli/job_arguments.hpp"
#include "cli/progress.hpp"
#include "cli/rule_study.hpp"
#include "cli/selection.hpp"
#include "cli/study_folder.hpp"
#include "cluster/place.hpp"
#include "cluster/serve.hpp"
#include "report/csv.hpp"
#include "report/table.hpp"

namespace po = boost::program_options;

namespace barsweep::cli {
namespace {

using Clock = std::chrono::steady_clock;

const char* const usage =
    "barsweep sweep JOB.ini [--data STORE.h5] [--symbol S] [--out DIR] [--SECTION.KEY VALUE ...]\n"
    "Runs a job: its trials over all ranks, the winner once on the locked test window. Run the "
    "same\n"
    "command again after whatever ended it, and it goes on where it was.\n";

RuleStudy load(const JobArguments& given)
{
    auto texts = read_job(given.job, given.overrides);
    auto series = bars::read_store(store_of(texts), texts["data.symbol"]);
    auto job = resolve_job(std::move(texts), series);
    return load_rule_study(std::move(job), std::move(series));
}

cluster::RunTask runner(const RuleStudy& data)
{
    return [&data](const cluster::Task& task) { return run_rung(data, task.trial, task.rung); };
}

std::int64_t count_bars(const Job& job, const search::Study& study)
{
    std::int64_t bars = 0;
    for (const auto& record : study.trials())
        for (std::size_t rung = 0; rung < record.rungs.size(); ++rung)
            bars += rung_window(job, static_cast<int>(rung)).decisions();
    return bars;
}

void print(const report::Summary& summary, const po::variables_map& options)
{
    if (options.count("csv"))
        write_whole(options["csv"].as<std::string>(), report::trials_csv(summary));
    const auto text = options.count("json")
                          ? report::to_json(summary).dump(2) + "\n"
                          : report::trials_table(summary) + "\n" + report::winner_table(summary);
    std::fputs(text.c_str(), stdout);
}

/// Rank 0: checks everything before the others may load, leads, selects.
Exit run_first_rank(cluster::Comm& comm, const cluster::StopSignals& signals,
                    const JobArguments& given)
{
    const auto begun = Clock::now();
    const int threads = cluster::computing_threads();
    const auto data = load(given);
    const StudyFolder folder{data.job.out};
    folder.remove("exit_code");  // of an earlier start: a wrapper must not take it for this one's
    search::Ledger ledger{folder.ledger()};
    search::Study study{data.job.plan, ledger};
    folder.write("job.ini", job_file(data.job.texts));
    cluster::Coordinator coordinator{
        study, data.job.slots, [&data](const search::Trial&, int rung) {
            return static_cast<double>(rung_window(data.job, rung).decisions());
        }};
    if (!coordinator.done()) folder.remove("summary.json");
    const auto bars_before = count_bars(data.job, study);
    auto ending = cluster::Ending::done;

    {
        Progress progress{study};
        cluster::ServeOptions options;
        options.threads = threads;
        options.timeout = data.job.timeout;
        options.study = study_line(data.job);
        ending = cluster::lead(comm, signals, coordinator, ledger, runner(data), options,
                               [&progress](const cluster::Coordinator&) { progress.show(); });
    }
    if (ending == cluster::Ending::stopped) {
        folder.write("exit_code", "75\n");
        log_line("stopped with everything kept; the same command goes on where it was");
        return Exit::stopped;
    }

    auto summary = select_winner(data, study, ledger, ending);
    summary.steps = count_bars(data.job, study) - bars_before;
    summary.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    folder.write("summary.json", report::to_json(summary).dump(2) + "\n");
    print(summary, given.options);
    const auto exit = summary.best ? Exit::done : Exit::nothing;
    folder.write("exit_code", fmt::format("{}\n", static_cast<int>(exit)));
    return exit;
}

/// Every other rank. How the study ended is rank 0's to say.
Exit run_other_rank(cluster::Comm& comm, const cluster::StopSignals& signals,
                    const JobArguments& given)
{
    std::optional<RuleStudy> data;
    cluster::ServeOptions options;
    cluster::work(
        comm, signals,
        [&](const std::string& study) {
            options.threads = cluster::computing_threads();
            data.emplace(load(given));
            check_same_study(data->job, study);
            return runner(*data);
        },
        options);
    return Exit::done;
}

Exit run_rank(cluster::Comm& comm, const JobArguments& given)
{
    const cluster::StopSignals signals;
    cluster::check_world(comm.size());
    if (comm.rank() != 0) return run_other_rank(comm, signals, given);
    try {
        return run_first_rank(comm, signals, given);
    } catch (...) {
        cluster::dismiss(comm, cluster::Ending::stopped);
        throw;
    }
}

/// What goes wrong is told here, not in main: leaving MPI may end the process (Comm::leave). A
/// command line that is wrong is wrong on every rank; rank 0 says so.
template <class Run>
Exit run_and_tell(const cluster::Comm& comm, const Run& run)
{
    try {
        return run();
    } catch (const UserError& error) {
        if (comm.rank() != 0 && error.exit() == Exit::usage) return error.exit();
        return tell_failure("sweep");
    } catch (...) {
        return tell_failure("sweep");
    }
}

}  // namespace

Exit sweep(const Arguments& arguments)
{
    po::options_description own{"Options"};
    own.add_options()("json", "one JSON object on stdout")(
        "csv", po::value<std::string>()->value_name("FILE"), "all trials, exact, as CSV");
    int no_arguments = 0;
    char** none = nullptr;
    cluster::Comm comm{no_arguments, none};
    if (comm.size() > 1) set_log_rank(comm.rank());
    const auto exit = run_and_tell(comm, [&] {
        const auto given = parse_job_arguments(arguments, usage, own);
        return given.job.empty() ? Exit::done : run_rank(comm, given);
    });
    comm.leave(static_cast<int>(exit));
    return exit;
}

}  // namespace barsweep::cli
