#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "job_options_fixture.hpp"

namespace barsweep::cli {
namespace {

struct Fault {
    const char* lines;
    const char* sentence;

    friend std::ostream& operator<<(std::ostream& out, const Fault& fault)
    {
        std::string line = fault.lines;  // names the test, so one line
        std::ranges::replace(line, '\n', ' ');
        return out << line;
    }
};

/// Line numbers count the two lines of [rungs] that stand above.
const Fault faults[] = {
    {"[study]\ntrials = 0\n",
     "job.ini:4: expected study.trials as a whole number from 1 to 10000000, found '0'. To fix: "
     "write "
     "for example study.trials = 100."},
    {"[study]\ntrials = 1e3\n",
     "job.ini:4: expected study.trials as a whole number from 1 to 10000000, found '1e3'. To fix: "
     "write "
     "for example study.trials = 100."},
    {"[study]\nseed = -1\n",
     "job.ini:4: expected study.seed as a whole number from 0 to 2^64 - 1, found '-1'. To fix: "
     "write "
     "for example study.seed = 1."},
    {"[study]\nslots = 65537\n",
     "job.ini:4: expected study.slots as a whole number from 1 to 65536, found '65537'. To fix: "
     "write "
     "for example study.slots = 8."},
    {"[study]\nname = a/b\n",
     "job.ini:4: expected study.name as a word without slashes, quotes or tabs, found 'a/b'. To "
     "fix: "
     "write for example study.name = demo."},
    {"[study]\ndirection = up\n",
     "job.ini:4: expected study.direction as one of maximize, minimize, found 'up'. To fix: write "
     "for "
     "example study.direction = maximize."},
    {"[study]\ntimeout = 2\n",
     "job.ini:4: expected study.timeout as a length of time above 0 with its unit (250ms, 90s, "
     "15m, 2h, "
     "1d) or none, found '2'. To fix: write for example study.timeout = 2h."},
    {"[study]\ntrial_timeout = 0s\n",
     "job.ini:4: expected study.trial_timeout as a length of time above 0 with its unit (250ms, "
     "90s, "
     "15m, 2h, 1d) or none, found '0s'. To fix: write for example study.trial_timeout = 10m."},
    {"[study]\nmin_trades = many\n",
     "job.ini:4: expected study.min_trades as a whole number from 0 to 1000000000, found 'many'. "
     "To "
     "fix: write for example study.min_trades = 10."},
    {"[study]\nreplicates = 2\n",
     "job.ini:4: expected study.replicates as 1, since agent.kind = rule has no seed, found '2'. "
     "To "
     "fix: write for example study.replicates = 3."},
    {"[search]\npruner = patient:asha\n",
     "job.ini:4: expected search.pruner as patient with a pruner that cuts (asha pauses, and "
     "promotes later), found 'patient:asha'. To fix: write for example search.pruner = asha."},
    {"[search]\nlower = 2\nupper = 1\n",
     "job.ini:4: expected search.lower up to search.upper = 1, found '2'. To fix: write for "
     "example "
     "search.lower = -0.5."},
    {"[study]\nschedule = random\n",
     "job.ini:4: expected study.schedule as one of ordered, eager, found 'random'. To fix: write "
     "for "
     "example "
     "study.schedule = ordered."},
    {"[data]\npurge = -3\n",
     "job.ini:4: expected data.purge as a whole number from 0 to 1000000000, found '-3'. To fix: "
     "write "
     "for example data.purge = auto."},
    {"[data]\nppy = 0\n",
     "job.ini:4: expected data.ppy as a number above 0 or auto, found '0'. To fix: write for "
     "example "
     "data.ppy = 525600."},
    {"[data]\nppy = inf\n",
     "job.ini:4: expected data.ppy as a number above 0 or auto, found 'inf'. To fix: write for "
     "example "
     "data.ppy = 525600."},
    {"[agent]\nkind = a2c\n",
     "job.ini:4: expected agent.kind as one of rule, dqn, ppo, found 'a2c'. To fix: write for "
     "example agent.kind = rule."},
    {"[agent]\nkind = ppo\nlanes = 8\nbuffer = 1000\n",
     "job.ini:6: expected a key that agent.kind = ppo knows, found agent.buffer. To fix: take it "
     "out, or set another agent.kind."},
    {"[agent]\nkind = dqn\nlanes = 8\n[space]\nagent.rollout = choice 8 16\n",
     "job.ini:7: expected a key that agent.kind = dqn knows, found agent.rollout. To fix: take it "
     "out, or set another agent.kind."},
    {"[agent]\nkind = ppo\nlanes = 8\nrollout = 7\n",
     "job.ini: expected agent.batch of at most agent.lanes times agent.rollout, 56, found 64. To "
     "fix: lower agent.batch or raise agent.rollout."},
    {"[agent]\nkind = dqn\nlanes = 8\nall_actions = true\n[reward]\nnormalise = true\n",
     "job.ini:8: expected reward.normalise = false beside agent.all_actions = true, found true. To "
     "fix: take one of the two out: running statistics know the action taken alone."},
    {"[agent]\ngamma = 0.9\n",
     "job.ini:4: expected a key that agent.kind = rule knows, found agent.gamma. To fix: take it "
     "out, or set another agent.kind."},
    {"[agent]\nkind = dqn\nlanes = 8\n[space]\nagent.fast = int 2 9\n",
     "job.ini:7: expected a key that agent.kind = dqn knows, found agent.fast. To fix: take it "
     "out, or set another agent.kind."},
    {"[agent]\nkind = dqn\nlanes = 8\n[space]\nagent.lanes = choice 8 16\n",
     "job.ini:7: expected rungs.bars in multiples of agent.lanes = 16, found 200. To fix: write "
     "208 instead."},
    {"[agent]\nfast = 0\n",
     "job.ini:4: expected agent.fast as a whole number from 1 to 1000000, found '0'. To fix: write "
     "for "
     "example agent.fast = 20."},
    {"[agent]\nlong_flat = yes\n",
     "job.ini:4: expected agent.long_flat as one of false, true, found 'yes'. To fix: write for "
     "example "
     "agent.long_flat = false."},
    {"[agent]\nfast = 60\n",
     "job.ini:4: expected an agent.fast that can be below agent.slow, found 60 and 50 at best. To "
     "fix: "
     "make the slow average the longer one."},
    {"[search]\nsampler = tep\n",
     "job.ini:4: expected search.sampler as one of random, grid, sobol, tpe, cmaes, gp, found "
     "'tep'. To fix: write for example search.sampler = tpe."},
    {"[search]\npruner = half\n",
     "job.ini:4: expected search.pruner as one of none, median, percentile, threshold, halving, "
     "hyperband, asha, found 'half'. To fix: write for example search.pruner = asha."},
    {"[search]\neta = 1\n",
     "job.ini:4: expected search.eta as a whole number from 2 to 100, found '1'. To fix: write for "
     "example search.eta = 3."},
    {"[search]\nstartup = 0\n",
     "job.ini:4: expected search.startup as a whole number from 1 to 10000000, found '0'. To fix: "
     "write "
     "for example search.startup = 5."},
    {"[search]\nwarmup = -1\n",
     "job.ini:4: expected search.warmup as a whole number from 0 to 1000000000, found '-1'. To "
     "fix: "
     "write for example search.warmup = 0."},
    {"[account]\nhold = 0\n",
     "job.ini:4: expected account.hold as a whole number from 1 to 1000000000, found '0'. To fix: "
     "write "
     "for example account.hold = 60."},
    {"[space]\naccount.hold = int 0 60\n",
     "job.ini:4: expected account.hold as a whole number from 1 to 1000000000, found '0'. To fix: "
     "write "
     "for example account.hold = 60."},
    {"[space]\nagent.slow = float 30 60\n",
     "job.ini:4: expected agent.slow as a whole number from 2 to 1000000, found "
     "'41.45898033750315'. To "
     "fix: "
     "write for example agent.slow = 50."},
    {"[space]\nagent.long_flat = choice true maybe\n",
     "job.ini:4: expected agent.long_flat as one of false, true, found 'maybe'. To fix: write for "
     "example agent.long_flat = false."},
    {"[space]\nagent.fast = int 90 100\n",
     "job.ini: expected an agent.fast that can be below agent.slow, found 90 and 50 at best. To "
     "fix: "
     "make the slow average the longer one."},
};

class JobFaultTest : public JobOptionsTest, public testing::WithParamInterface<Fault> {};

TEST_P(JobFaultTest, IsOneSentenceThatNamesLineKeyAndRange)
{
    EXPECT_EQ(sentence(GetParam().lines), GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(Jobs, JobFaultTest, testing::ValuesIn(faults));

TEST_F(JobOptionsTest, NamesTheCommandLineWhereTheFaultIsThere)
{
    EXPECT_EQ(
        sentence("", {{"study.trials", "none"}}),
        "command line: expected study.trials as a whole number from 1 to 10000000, found 'none'. "
        "To fix: write for example study.trials = 100.");
}

TEST_F(JobOptionsTest, RefusesRungsThatDoNotIncreaseOrPassTheTrainingWindow)
{
    EXPECT_EQ(
        sentence("", {{"rungs.bars", "200 200"}}),
        "command line: expected rungs.bars as whole numbers above 0, each larger than the one "
        "before, found '200 200'. To fix: write for example rungs.bars = 1000 4000 10000.");
    EXPECT_EQ(
        sentence("", {{"rungs.bars", ""}}),
        "command line: expected rungs.bars as at least one whole number above 0, found ''. To fix: "
        "write for example rungs.bars = 1000 4000 10000.");
    const auto decisions = std::to_string(resolve("").windows.train.decisions());
    EXPECT_THAT(sentence("", {{"rungs.bars", "200 2000 3000"}}),
                testing::StartsWith("command line: expected rungs.bars before the last up to the " +
                                    decisions + " decisions of the training window, found 2000. "));
    EXPECT_EQ(resolve("", {{"rungs.bars", "200 600 99999"}}).plan.rungs.back(), 99'999);
}

TEST_F(JobOptionsTest, RefusesASpaceWithAllItsFaultsAtOnce)
{
    const auto text = sentence("[space]\nagent.fast = int 9 2\naccount.stop = log 0 1\n");
    EXPECT_THAT(text, testing::HasSubstr("agent.fast"));
    EXPECT_THAT(text, testing::HasSubstr("account.stop"));
}

TEST_F(JobOptionsTest, RefusesAGridWithoutEnd)
{
    EXPECT_THAT(sentence("[search]\nsampler = grid\n[space]\naccount.stop = float 1 2\n"),
                testing::HasSubstr("account.stop"));
}

TEST_F(JobOptionsTest, RefusesAJobWithoutAStore)
{
    std::ofstream{file_} << "";
    try {
        store_of(read_job(file_, {}));
        FAIL() << "accepted";
    } catch (const UserError& error) {
        EXPECT_THAT(
            error.what(),
            testing::EndsWith("job.ini: expected data.store or --data to name a bar store, found "
                              "neither. To fix: give --data STORE.h5, made by `barsweep ingest`."));
    }
}

}  // namespace
}  // namespace barsweep::cli
