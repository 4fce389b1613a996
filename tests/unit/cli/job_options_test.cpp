#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "job_options_fixture.hpp"

namespace barsweep::cli {
namespace {

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
    EXPECT_NO_THROW(resolve(dqn + "lanes = 8\nn_step = 3\n[space]\n"
                                  "agent.all_actions = choice false true\n"));
    EXPECT_NO_THROW(
        resolve("[agent]\nkind = ppo\nrollout = 4\nlanes = 8\n[space]\n"
                "agent.batch = choice 32 128\n"));
}

TEST_F(JobOptionsTest, GivesEachKindOfAgentItsOwnDefaults)
{
    const auto value = [&](const std::string& kind, const std::string& key) {
        std::ofstream{file_} << "[agent]\nkind = " << kind << "\n";
        return read_job(file_, {})["agent." + key];
    };
    EXPECT_EQ(value("dqn", "activation"), "relu");
    EXPECT_EQ(value("ppo", "activation"), "tanh");
    EXPECT_EQ(value("dqn", "lanes"), "16");
    EXPECT_EQ(value("ppo", "lanes"), "64");
    EXPECT_EQ(value("ppo", "gamma"), "0.99");
}

TEST_F(JobOptionsTest, ResolvesAPlanOfTheKindAskedFor)
{
    const auto job = resolve("[agent]\nkind = ppo\nlanes = 8\nclip = 0.3\n");
    const auto plan = resolve_learner(job, series_, {3, {{"agent.gae_lambda", 0.8}}});
    const auto& ppo = std::get<agents::PpoConfig>(plan.config);
    EXPECT_EQ(ppo.clip, 0.3);
    EXPECT_EQ(ppo.gae_lambda, 0.8);
    EXPECT_EQ(plan.last_rung, 1000);
    const auto other = resolve("[agent]\nkind = dqn\nlanes = 8\ndueling = true\n");
    EXPECT_TRUE(
        std::get<agents::DqnConfig>(resolve_learner(other, series_, {0, {}}).config).dueling);
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

}  // namespace
}  // namespace barsweep::cli
