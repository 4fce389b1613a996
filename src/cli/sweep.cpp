#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <cstdio>
#include <optional>

#include "base/log.hpp"
#include "base/whole_file.hpp"
#include "cli/agent.hpp"
#include "cli/failure.hpp"
#include "cli/job_arguments.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/study_folder.hpp"
#include "cluster/place.hpp"
#include "cluster/serve.hpp"
#include "report/csv.hpp"
#include "report/table.hpp"
#include "search/read_trials.hpp"

namespace po = boost::program_options;

namespace barsweep::cli {
namespace {

using Clock = std::chrono::steady_clock;

const char* const usage =
    "barsweep sweep JOB.ini [--data STORE.h5] [--symbol S] [--out DIR] [--SECTION.KEY VALUE ...]\n"
    "Runs a job: its trials over all ranks, the winner once on the locked test window. Run the "
    "same\n"
    "command again after whatever ended it, and it goes on where it was.\n";

void print(report::Summary summary, const StudyFolder& folder, const po::variables_map& options)
{
    summary.trials = search::read_trials(folder.ledger());  // with their metrics
    if (options.count("csv"))
        write_whole(options["csv"].as<std::string>(), report::trials_csv(summary));
    const auto text = options.count("json")
                          ? report::to_json(summary).dump(2) + "\n"
                          : report::trials_table(summary) + "\n" + report::winner_table(summary);
    std::fputs(text.c_str(), stdout);
}

/// False: a signal asked to stop before the winner was at hand.
bool recall_winner(const Agent& agent, const search::Study& study,
                   const cluster::StopSignals& signals)
try {
    if (agent.recall && study.best())
        agent.recall(study.best()->trial, [&] { return signals.received() != 0; });
    return true;
} catch (const cluster::Interrupted&) {
    return false;
}

/// Rank 0: checks everything before the others may load, leads, selects.
Exit run_first_rank(cluster::Comm& comm, const cluster::StopSignals& signals,
                    const JobArguments& given)
{
    const auto begun = Clock::now();
    const int threads = cluster::computing_threads();
    const auto data = load_study(read_job(given.job, given.overrides));
    const StudyFolder folder{data.job.out};
    folder.remove("exit_code");  // of an earlier start: a wrapper must not take it for this one's
    search::Ledger ledger{folder.ledger()};
    search::Study study{data.job.plan, ledger};
    folder.write("job.ini", job_file(data.job.texts));
    cluster::ServeOptions options;
    options.threads = threads;
    options.timeout = data.job.timeout;
    options.study = study_line(data.job);
    const auto agent = make_agent(data, folder.path(), options.interrupt.get_token());
    cluster::Coordinator coordinator{study, data.job.slots, agent.cost, data.job.schedule};
    if (!coordinator.done()) folder.remove("summary.json");
    const auto before = tally(study, agent.bars);
    auto ending = cluster::Ending::done;
    cluster::Busy busy;

    {
        Progress progress{study, agent.bars};
        ending = cluster::lead(
            comm, signals, coordinator, ledger, agent.run, options,
            [&](const cluster::Coordinator&) {
                folder.check_held();
                progress.show();
                if (agent.tidy) agent.tidy(study);
            },
            &busy);
    }
    if (busy.possible > 0)
        log_line(fmt::format("slots were busy {:.0f} % of {:.1f} s (study.schedule = {})",
                             100 * busy.share(), busy.possible, data.job.texts["study.schedule"]));
    if (ending == cluster::Ending::stopped || !recall_winner(agent, study, signals)) {
        folder.write("exit_code", "75\n");
        log_line("stopped with everything kept; the same command goes on where it was");
        return Exit::stopped;
    }

    if (agent.tidy) agent.tidy(study);
    auto summary = select_winner(data, agent, study, ledger, ending);
    if (summary.best && agent.keep_winner) agent.keep_winner(*study.best(), summary.test->winner);
    summary.busy = busy.share();
    summary.steps = tally(study, agent.bars).bars - before.bars;
    summary.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    const auto exit = summary.best ? Exit::done : Exit::nothing;
    folder.write("summary.json", report::to_json(summary).dump(2) + "\n");
    print(std::move(summary), folder, given.options);
    folder.write("exit_code", fmt::format("{}\n", static_cast<int>(exit)));
    return exit;
}

/// Every other rank. How the study ended is rank 0's to say.
Exit run_other_rank(cluster::Comm& comm, const cluster::StopSignals& signals,
                    const JobArguments& given)
{
    std::optional<StudyData> data;
    cluster::ServeOptions options;
    const auto prepare = [&](const std::string& study) {
        options.threads = cluster::computing_threads();
        data.emplace(load_study(read_job(given.job, given.overrides)));
        check_same_study(data->job, study);
        return make_agent(*data, data->job.out, options.interrupt.get_token()).run;
    };
    cluster::work(comm, signals, prepare, options);
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
