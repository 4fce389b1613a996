#include "cli/job_options.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "cli/estimate.hpp"

namespace barsweep::cli {
namespace {

/// 2,000 hours around 1,000.00, up and down by a triangle of 100 bars.
bars::BarSeries hours()
{
    bars::BarSeries series;
    series.symbol = "TEST";
    series.price_decimals = 2;
    series.interval = 3'600'000'000'000;
    for (std::int64_t i = 0; i < 2'000; ++i) {
        const std::int64_t close = 100'000 + 20 * (i % 100 < 50 ? i % 100 : 100 - i % 100);
        series.time.push_back(1'420'070'400'000'000'000 + i * series.interval);
        series.ohlc.push_back({close, close + 10, close - 10, close});
        series.volume.push_back(1);
    }
    bars::compute_sigma(series);
    return series;
}

class JobOptionsTest : public testing::Test {
protected:
    JobOptionsTest() { std::filesystem::create_directories(folder_); }
    ~JobOptionsTest() override { std::filesystem::remove_all(folder_); }

    /// The lines stand below rungs that suit the 2,000 bars.
    Job resolve(const std::string& lines, const Overrides& overrides = {})
    {
        std::ofstream{file_} << "[rungs]\nbars = 200 600 1000\n" << lines;
        return resolve_job(read_job(file_, overrides), series_);
    }

    std::string sentence(const std::string& lines, const Overrides& overrides = {})
    {
        try {
            resolve(lines, overrides);
        } catch (const UserError& error) {
            EXPECT_EQ(error.exit(), Exit::bad_input);
            const std::string text = error.what();
            return text.starts_with(folder_.string()) ? text.substr(folder_.string().size() + 1)
                                                      : text;
        }
        return "accepted";
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("barsweep_options_" + std::to_string(::getpid()));
    std::filesystem::path file_ = folder_ / "job.ini";
    bars::BarSeries series_ = hours();
};

TEST_F(JobOptionsTest, TakesEveryKeyOfStudyAndSearch)
{
    const auto job = resolve(
        "[study]\nname = x\nseed = 18446744073709551615\ntrials = 9\nslots = 3\n"
        "direction = minimize\nscore = max_drawdown\ntimeout = 90s\ntrial_timeout = 15m\n"
        "min_trades = 4\nschedule = ordered\n"
        "[search]\nsampler = grid\npruner = median\neta = 4\nstartup = 6\nwarmup = 200\n"
        "[output]\ndir = here\n");
    EXPECT_EQ(job.name, "x");
    EXPECT_EQ(job.plan.seed, 18446744073709551615u);
    EXPECT_EQ(job.plan.sampler.seed, job.plan.seed);
    EXPECT_EQ(job.plan.trials, 9);
    EXPECT_EQ(job.slots, 3);
    EXPECT_EQ(job.plan.direction, search::Direction::minimize);
    EXPECT_EQ(job.score, "max_drawdown");
    EXPECT_EQ(job.timeout, 90);
    EXPECT_EQ(job.plan.trial_timeout, 900);
    EXPECT_EQ(job.min_trades, 4);
    EXPECT_EQ(job.plan.sampler.kind, search::SamplerKind::grid);
    EXPECT_EQ(job.plan.pruner.kind, search::PrunerKind::median);
    EXPECT_EQ(job.plan.pruner.eta, 4);
    EXPECT_EQ(job.plan.pruner.startup, 6);
    EXPECT_EQ(job.plan.pruner.warmup, 200);
    EXPECT_EQ(job.out, "here");
    EXPECT_THAT(job.plan.rungs, testing::ElementsAre(200, 600, 1000));
}

TEST_F(JobOptionsTest, GivesATrialWhatTheJobSaysButForItsParameters)
{
    const auto job = resolve("[agent]\nfast = 3\nslow = 9\n[account]\nhold = 30\n");
    const auto trial = resolve_trial(job, series_, job.ppy,
                                     {{"agent.fast", std::int64_t{5}},
                                      {"account.hold", std::int64_t{77}},
                                      {"agent.long_flat", "true"}});
    EXPECT_EQ(trial.rule.fast, 5);
    EXPECT_EQ(trial.rule.slow, 9);
    EXPECT_TRUE(trial.rule.long_flat);
    EXPECT_EQ(trial.account.rules.hold_bars, 77);
    EXPECT_EQ(resolve_trial(job, series_, job.ppy, {}).account.rules.hold_bars, 30);
}

TEST_F(JobOptionsTest, RoundsADrawnBarrierToAMillionthOfASigma)
{
    const auto job = resolve("[space]\naccount.target = float 1 5\naccount.stop = log 0.5 3\n");
    const auto trial =
        resolve_trial(job, series_, job.ppy,
                      {{"account.target", 2.5278640450004204}, {"account.stop", 1.0000005}});
    EXPECT_EQ(trial.account.rules.target_ppm, 2'527'864);
    EXPECT_EQ(trial.account.rules.stop_ppm, 1'000'000);
}

TEST_F(JobOptionsTest, SearchesAFeeWithoutAStepRoundedToTheAccountsUnit)
{
    const auto job = resolve("[space]\naccount.fee_bps = float 1 5\n");
    const auto trial =
        resolve_trial(job, series_, job.ppy, {{"account.fee_bps", 2.52786404500042}});
    EXPECT_EQ(trial.account.rules.rate_ppb, 252'786);
}

TEST_F(JobOptionsTest, RefusesATrialWhoseFastAverageIsNotTheShorterOne)
{
    const auto job = resolve("[space]\nagent.fast = int 2 40\n");
    try {
        resolve_trial(job, series_, job.ppy,
                      {{"agent.fast", std::int64_t{30}}, {"agent.slow", std::int64_t{30}}});
        FAIL() << "accepted";
    } catch (const UserError& error) {
        EXPECT_STREQ(
            error.what(),
            "trial: expected agent.fast below agent.slow, found 30 and 30. To fix: make the "
            "slow average the longer one.");
    }
}

/// What keys ask of each other is asked of the job's own values and of what is searched, never of
/// a default that no trial runs with.
TEST_F(JobOptionsTest, TakesAgentKeysThatOnlyTogetherAreRight)
{
    const std::string dqn = "[agent]\nkind = dqn\n";
    EXPECT_NO_THROW(resolve(dqn + "lanes = 4\nbuffer = 8\n"));
    EXPECT_NO_THROW(resolve(dqn + "lanes = 8\ntarget_every = 0\ntau = 0.01\n"));
    EXPECT_NO_THROW(
        resolve(dqn + "lanes = 8\ntarget_every = 0\n[space]\nagent.tau = log 1e-3 1e-1\n"));
    EXPECT_NO_THROW(resolve(dqn + "buffer = 8\n[space]\nagent.lanes = choice 8 4\n"));
    EXPECT_NO_THROW(resolve(dqn + "lanes = 8\n[space]\nagent.buffer = int 4 400\n"));
}

TEST_F(JobOptionsTest, RefusesAgentKeysThatNoTrialHasRightTogether)
{
    const auto refused = [&](const std::string& text) {
        try {
            resolve("[agent]\nkind = dqn\n" + text);
        } catch (const UserError& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    EXPECT_THAT(refused("lanes = 8\n[space]\nagent.buffer = int 4 7\n"),
                testing::HasSubstr("expected agent.buffer of at least agent.lanes, 8, found 7"));
    EXPECT_THAT(
        refused("lanes = 8\ntau = 0\n[space]\nagent.target_every = choice 0\n"),
        testing::HasSubstr("expected agent.target_every or agent.tau above 0, found both 0"));
    EXPECT_THAT(refused("lanes = 16\n"),
                testing::HasSubstr("in multiples of agent.lanes = 16, found 200"));
}

TEST_F(JobOptionsTest, WarmsUpForTheLongestSlowAverageOfTheSpaceAndNeverUnder240Rows)
{
    EXPECT_EQ(resolve("").windows.train.first, 240);
    EXPECT_EQ(resolve("[space]\nagent.slow = int 30 241\n").windows.train.first, 240);
    EXPECT_EQ(resolve("[space]\nagent.slow = int 30 500\n").windows.train.first, 499);
    EXPECT_EQ(resolve("[space]\nagent.slow = choice 400 30\n").windows.train.first, 399);
}

TEST_F(JobOptionsTest, PurgesTheLongestHoldOfTheSpaceUnlessToldOtherwise)
{
    EXPECT_EQ(resolve("").split.purge, 60);
    EXPECT_EQ(resolve("[space]\naccount.hold = int 10 120 step 10\n").split.purge, 120);
    EXPECT_EQ(resolve("[data]\npurge = 7\n").split.purge, 7);
}

TEST_F(JobOptionsTest, KnowsAStudyByItsTextsAndDataButNotByWhereItsFilesLie)
{
    const auto identity =
        resolve("[data]\nstore = a.h5\n[space]\nagent.fast = int 2 9\n").plan.identity;
    EXPECT_EQ(identity, resolve("[space]\nagent.fast = int 2 9\n[output]\ndir = there\n",
                                {{"data.store", "b.h5"}, {"study.timeout", "5h"}})
                            .plan.identity);
    EXPECT_NE(identity, resolve("[space]\nagent.fast = int 2 10\n").plan.identity);
    EXPECT_EQ(identity["data.symbol"], "TEST");
    EXPECT_EQ(identity["data.bars"], 2000);
    EXPECT_EQ(identity["data.canonical_sha256"], bars::canonical_sha256(series_));
    EXPECT_EQ(identity["space.agent.fast"], "int 2 9");
}

TEST_F(JobOptionsTest, CountsGridTrialsAndBars)
{
    const auto estimated = [&](Job job) {
        return estimate(
            {std::move(job), series_, sim::load_market(device::Backend::cpu, series_), {}});
    };
    const auto job = resolve(
        "[study]\ntrials = 50\n[search]\nsampler = grid\n[space]\nagent.fast = int 2 9\n"
        "agent.long_flat = choice false true\n");
    const auto cost = estimated(job);
    EXPECT_EQ(cost.grid_points, 16);
    EXPECT_EQ(cost.trials, 16);
    EXPECT_EQ(cost.bars, 16 * (200 + 600 + job.windows.validation.decisions()));
    EXPECT_GT(cost.seconds_at_most, 0);
    EXPECT_GT(cost.seconds, 0);
    EXPECT_LE(cost.seconds, cost.seconds_at_most);

    EXPECT_EQ(
        estimated(resolve("[space]\naccount.stop = float 1 2 step 0.5\naccount.target = log 1 2\n"))
            .grid_points,
        0);
}

TEST_F(JobOptionsTest, SharesOfRungsFallAsTheHalvingPrunerCuts)
{
    const auto shares =
        rung_shares(resolve("[study]\ntrials = 300\n[search]\npruner = halving\neta = 3\n").plan);
    ASSERT_EQ(shares.size(), 3u);
    EXPECT_NEAR(shares[0], 1, 1e-12);
    EXPECT_NEAR(shares[1], 1.0 / 3, 0.06);
    EXPECT_LT(shares[2], shares[1] / 2);

    EXPECT_THAT(rung_shares(resolve("[study]\ntrials = 4\n").plan),
                testing::Each(testing::DoubleEq(1)));
}

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
    {"[study]\nschedule = eager\n",
     "job.ini:4: expected study.schedule as ordered (eager isn't there yet), found 'eager'. To "
     "fix: "
     "write for example study.schedule = ordered."},
    {"[study]\nschedule = random\n",
     "job.ini:4: expected study.schedule as one of ordered, found 'random'. To fix: write for "
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
    {"[agent]\nkind = ppo\n",
     "job.ini:4: expected agent.kind as one of rule, dqn, found 'ppo'. To fix: write for example "
     "agent.kind "
     "= rule."},
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
    {"[search]\nsampler = tpe\n",
     "job.ini:4: expected search.sampler as one of random, grid, found 'tpe'. To fix: write for "
     "example "
     "search.sampler = random."},
    {"[search]\npruner = half\n",
     "job.ini:4: expected search.pruner as one of none, median, halving, found 'half'. To fix: "
     "write "
     "for example search.pruner = halving."},
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
