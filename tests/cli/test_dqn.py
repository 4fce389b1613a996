"""DQN in the sweep from outside: the same ledger and policy wherever it runs, and honest failures."""
import json
import resource
import time

import pytest
from dqn_study import (JOB, LONG, alone, check_agrees_with_the_sweep, job, params, policy, store,
                       trial_attributes)
from helpers import ledger, run, synth_store


# The same bits


@pytest.mark.parametrize("ranks,threads", [(1, 2), (2, 1), (4, 1)])
def test_gives_the_same_ledger_and_policy_on_any_number_of_ranks_and_threads(alone, store, job, tmp_path, ranks, threads):
    out = tmp_path / "study"
    run("sweep", job, "--data", store, "--out", out, ranks=ranks, env={"BARSWEEP_THREADS": str(threads)})
    assert ledger(out) == ledger(alone[0])
    assert policy(out) == policy(alone[0])


def test_mixes_widths_and_batches_in_one_sweep(alone):
    for name in ("agent.hidden", "agent.batch"):
        assert len(set(params(alone[0], name).values())) > 1


def test_keeps_the_bests_checkpoint_alone(alone):
    out, told, _ = alone
    assert [f.name for f in (out / "checkpoints").iterdir()] == [f"trial-{told['best']['trial']:06}.ckpt"]


def test_trials_are_the_same_run_again_from_their_start(alone):
    out, told, _ = alone
    assert told["trials"]["pruned"] > 0
    for trial in range(6):
        assert "are equal" in run("replay", out, "--trial", trial).stdout


# Refusals


def test_other_bars_or_other_features_under_the_same_name_are_refused(alone, store, job, tmp_path):
    other = synth_store(tmp_path, bars=4_000, kind="sine", seed=8)
    done = run("sweep", job, "--data", other, "--out", alone[0], expect=3)
    assert "data.canonical_sha256" in done.stderr and done.stderr.count("To fix:") == 1
    assert "data.canonical_sha256" in run("replay", alone[0], "--trial", 0, "--data", other, expect=3).stderr


def test_a_store_without_features_says_to_ingest_again(store, job, tmp_path):
    old = tmp_path / "old.h5"
    whole = store.read_bytes()
    assert whole.count(b"features\0") == 1            # the dataset's name in its group
    old.write_bytes(whole.replace(b"features\0", b"featurez\0"))
    done = run("sweep", job, "--data", old, "--out", tmp_path / "study", expect=3)
    assert "ingest" in done.stderr and "features" in done.stderr and done.stderr.count("To fix:") == 1


@pytest.mark.parametrize("wish", ["x", "-1", "1s"])
def test_a_checkpoint_interval_that_is_none_is_refused(store, job, tmp_path, wish):
    done = run("sweep", job, "--data", store, "--out", tmp_path / "study", expect=3,
               env={"BARSWEEP_CHECKPOINT_SECONDS": wish})
    assert f"BARSWEEP_CHECKPOINT_SECONDS: expected seconds, 0 or more, found '{wish}'" in done.stderr


# Failures


def test_a_trial_that_diverges_fails_with_its_cause_and_leaves_the_others_alone(store, job, tmp_path):
    """The reward scale is near the end of float: a position of a million units takes the reward beyond."""
    spoilt, sound = tmp_path / "spoilt", tmp_path / "sound"
    scale = ["--reward.reward_scale", "1e38", "--search.pruner", "none", "--study.min_trades", "0",
             "--space.agent.distribution", "choice none"]    # C51 has no room for such returns, and goes on
    run("sweep", job, "--data", store, "--out", spoilt, *scale, "--space.account.unit", "choice 1 1000000", expect=None)
    run("sweep", job, "--data", store, "--out", sound, *scale, "--space.account.unit", "choice 1 2", expect=None)
    unit = params(spoilt, "account.unit")
    assert unit == params(sound, "account.unit") and set(unit.values()) == {0, 1}
    causes = trial_attributes(spoilt, "cause")
    for trial, drawn in unit.items():
        if drawn == 1:
            assert "diverged: a loss or a weight is not finite at step" in causes[trial]
            assert "rung 0, 2048 bars" in causes[trial] and "account.unit = 1000000" in causes[trial]
            assert "are equal" in run("replay", spoilt, "--trial", trial).stdout
        else:
            for rung in ("rung_0", "rung_1"):
                assert trial_attributes(spoilt, rung)[trial] == trial_attributes(sound, rung)[trial]


def test_out_of_memory_fails_the_trial_that_asked_for_it(store, job, tmp_path):
    out = tmp_path / "study"
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (32 << 30, 32 << 30))
    done = run("sweep", job, "--data", store, "--out", out, "--json", "--search.pruner", "none",
               "--space.agent.buffer", "choice 2000 5000000000", preexec_fn=limit)
    causes, drawn = trial_attributes(out, "cause"), params(out, "agent.buffer")
    told = json.loads(done.stdout)
    assert set(drawn.values()) == {0, 1} and told["trials"]["complete"] > 0
    for trial in [trial for trial, choice in drawn.items() if choice == 1]:
        assert "out of memory: agent.buffer = 5000000000 asks for" in causes[trial]
        assert "rung 0, 2048 bars" in causes[trial] and "agent.gamma = " in causes[trial]


def test_a_combination_that_cannot_be_fails_its_trial_alone(store, job, tmp_path):
    done = run("sweep", job, "--data", store, "--out", tmp_path / "study", "--json", "--search.pruner", "none",
               "--space.agent.buffer", "choice 12 2000", "--space.agent.lanes", "choice 8 16")
    drawn = {name: params(tmp_path / "study", name) for name in ("agent.buffer", "agent.lanes")}
    bad = [t for t in range(6) if (drawn["agent.buffer"][t], drawn["agent.lanes"][t]) == (0, 1)]
    causes, told = trial_attributes(tmp_path / "study", "cause"), json.loads(done.stdout)["trials"]
    assert bad and all("expected agent.buffer of at least agent.lanes, 16, found 12" in causes[t] for t in bad)
    assert told["fail"] == len(causes) and told["complete"] == 6 - told["fail"] > 0


def test_a_trial_that_takes_too_long_fails_inside_its_rung(store, job, tmp_path):
    out = tmp_path / "study"
    begun = time.monotonic()
    run("sweep", job, "--data", store, "--out", out, *LONG, "--study.trials", "2", "--study.trial_timeout", "300ms",
        expect=4)
    assert time.monotonic() - begun < 60
    causes = trial_attributes(out, "cause")
    assert len(causes) == 2
    for cause in causes.values():
        assert cause.startswith("the rung alone took longer than study.trial_timeout = 300ms (rung 0, 400000000 bars; ")


# Beforehand


def test_check_tells_computing_time_and_memory_within_a_third(store, job, tmp_path):
    check_agrees_with_the_sweep(tmp_path, job, "--data", store, "--search.pruner", "none",
                                "--space.agent.hidden", "choice 32,32 64,64", "--rungs.bars", "16384 49152")


# Rewards


def test_normalised_rewards_are_not_scaled_twice(store, job, tmp_path):
    """Their deviation is 1 already, so the automatic scale is; another one that is asked for counts."""
    few = ["--study.trials", "1", "--rungs.bars", "1024", "--reward.normalise", "true"]
    def weights(name, *scale):
        run("sweep", job, "--data", store, "--out", tmp_path / name, *few, *scale)
        return policy(tmp_path / name).split(b"\n", 3)[3]
    automatic = weights("automatic")
    assert automatic == weights("one", "--reward.reward_scale", "1")
    assert automatic != weights("more", "--reward.reward_scale", "1000")


# What may be searched


def test_the_kind_of_agent_is_no_parameter(store, job):
    done = run("check", job, "--data", store, "--space.agent.kind", "choice rule dqn", expect=2)
    assert "space.agent.kind" in done.stderr


def test_every_key_of_the_agent_can_be_searched(store, job, tmp_path):
    """Each alone, two values, both used."""
    choices = {"max_grad_norm": "1 10", "epsilon_start": "0.5 1", "epsilon_end": "0.1 0.2", "exploration_fraction": "0.2 1",
               "lanes": "8 16", "episode": "128 256", "update_every": "2 8", "target_every": "256 512",
               "learning_starts": "128 256"}
    text = JOB.replace("trials = 6", "trials = 3").replace("bars = 2048 8192", "bars = 512 1024").split("[space]")[0]
    path = tmp_path / "job.ini"
    path.write_text(text + "[space]\n" + "".join(f"agent.{key} = choice {two}\n" for key, two in choices.items()))
    told = json.loads(run("sweep", path, "--data", store, "--out", tmp_path / "study", "--json",
                          "--search.pruner", "none", expect=None).stdout)
    assert told["trials"]["running"] == 0
    causes = trial_attributes(tmp_path / "study", "cause").values()
    assert all("no score" in cause for cause in causes)
