"""PPO in the sweep from outside: the same ledger and policy wherever it runs, killed or not."""
import json
import random
import subprocess

import dqn_study
import pytest
from dqn_study import alone, policy, start, store, trial_attributes
from helpers import ledger, run

JOB = """\
[study]
name = ppo
seed = 6
trials = 6
slots = 3
min_trades = 1

[account]
spread_bps = 1
levels = -1 0 1
barrier = off

[agent]
kind = ppo
rollout = 48
epochs = 3
lanes = 8
episode = 256

[rungs]
bars = 2048 8192

[search]
pruner = halving

[space]
agent.hidden = choice 16 32,16 24,24
agent.batch = choice 16 96
agent.learning_rate = log 1e-4 1e-2
agent.gamma = float 0.5 0.99
agent.gae_lambda = float 0.8 1
agent.clip = float 0.1 0.3
agent.clip_value = choice 0 0.5
agent.entropy = choice 0 0.01
agent.anneal = choice false true
agent.normalise_advantage = choice false true
agent.target_kl = choice 0 0.02
agent.activation = choice relu tanh silu
agent.layer_norm = choice false true
agent.observation = choice full three seed
"""


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    path = tmp_path_factory.mktemp("job") / "job.ini"
    path.write_text(JOB)
    return path


# A rung ends in the middle of a rollout: 2048 is no multiple of 8 * 48.


@pytest.mark.parametrize("ranks,threads", [(1, 2), (2, 1), (4, 1)])
def test_gives_the_same_ledger_and_policy_on_any_number_of_ranks_and_threads(alone, store, job, tmp_path, ranks, threads):
    out = tmp_path / "study"
    run("sweep", job, "--data", store, "--out", out, ranks=ranks, env={"BARSWEEP_THREADS": str(threads)})
    assert ledger(out) == ledger(alone[0])
    assert policy(out) == policy(alone[0])


@pytest.mark.parametrize("moment", range(dqn_study.MOMENTS))
def test_killed_at_any_moment_it_goes_on_to_the_same_ledger_and_policy(alone, store, job, tmp_path, moment):
    generator = random.Random(moment)
    out = tmp_path / "study"
    for _ in range(3):
        process = start(job, store, out, BARSWEEP_CHECKPOINT_SECONDS="0.01", BARSWEEP_THREADS="2")
        try:
            process.communicate(timeout=generator.uniform(0.05, alone[2]))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
    run("sweep", job, "--data", store, "--out", out)
    assert ledger(out) == ledger(alone[0])
    assert policy(out) == policy(alone[0])


def test_trials_are_the_same_run_again_from_their_start(alone):
    out, told, _ = alone
    assert told["trials"]["pruned"] > 0
    for trial in range(6):
        assert "are equal" in run("replay", out, "--trial", trial).stdout


def test_the_winner_is_a_policy_that_gives_the_sweeps_numbers_again(alone, store):
    out, told, _ = alone
    again = json.loads(run("backtest", store, "--model", out / "best", "--window", "test", "--json").stdout)
    assert again["metrics"]["total_return"] == told["best"]["test"]["total_return"]
    assert json.loads((out / "best/bundle.json").read_text())["job"]["agent.kind"] == "ppo"


def test_check_tells_computing_time_and_memory_within_a_third(store, job, tmp_path):
    dqn_study.check_agrees_with_the_sweep(tmp_path, job, "--data", store, "--search.pruner", "none",
                                          "--space.agent.hidden", "choice 32,32 64,64", "--rungs.bars", "16384 49152",
                                          "--space.agent.target_kl", "choice 0")    # none ends early


# Defaults and refusals


def test_keys_of_ppo_have_its_own_defaults(store, job):
    told = json.loads(run("check", job, "--data", store, "--json").stdout)["job"]
    assert told["agent.learning_rate"]["value"] == "0.0003"
    told = json.loads(run("check", job, "--data", store, "--agent.kind", "dqn", "--json", expect=None).stdout or "{}")
    assert told == {}                                    # rollout and epochs are no keys of dqn


@pytest.mark.parametrize("key", ["buffer", "n_step", "epsilon_end", "fast"])
def test_a_key_of_another_kind_is_refused_by_name(store, job, key):
    refused = run("check", job, "--data", store, f"--agent.{key}", "3", expect=3).stderr
    assert f"expected a key that agent.kind = ppo knows, found agent.{key}" in refused


def test_a_batch_beyond_the_rollout_is_refused(store, job):
    refused = run("check", job, "--data", store, "--space.agent.batch", "choice 512 1024", expect=3).stderr
    assert "agent.batch" in refused and "agent.rollout" in refused and refused.count("To fix:") == 1


def test_a_trial_that_diverges_fails_with_its_cause(store, job, tmp_path):
    """Rewards near the end of float."""
    out = tmp_path / "study"
    run("sweep", job, "--data", store, "--out", out, "--reward.reward_scale", "1e38", "--study.trials", "2",
        "--account.unit", "1000000", "--study.min_trades", "0", expect=4)
    causes = trial_attributes(out, "cause")
    assert len(causes) == 2 and all("diverged: a loss or a weight is not finite at step" in c for c in causes.values())
