"""DQN in the sweep from outside: the same ledger and policy wherever and however often it is interrupted, and honest
failures."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time

import pytest
from helpers import BARSWEEP, FULL, kill, ledger, run, synth_store

JOB = """\
[study]
name = dqn
seed = 5
trials = 6
slots = 3
min_trades = 1

[account]
spread_bps = 1
levels = -1 0 1
barrier = off

[agent]
kind = dqn
learning_starts = 256
target_every = 512
lanes = 8
episode = 256

[rungs]
bars = 2048 8192

[search]
pruner = halving

[space]
agent.hidden = choice 16 32,16 24,24
agent.batch = choice 8 32
agent.learning_rate = log 1e-4 1e-2
agent.gamma = float 0.5 0.99
agent.buffer = int 1000 4000
agent.tau = choice 0 0.01
agent.double_q = choice false true
agent.observation = choice full three seed
"""
MOMENTS = 25 if FULL else 5
LONG = ["--rungs.bars", "400000000", "--study.slots", "2"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return synth_store(tmp_path_factory.mktemp("bars"), bars=4_000, kind="sine")


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    path = tmp_path_factory.mktemp("job") / "job.ini"
    path.write_text(JOB)
    return path


@pytest.fixture(scope="module")
def alone(store, job, tmp_path_factory):
    """One rank, one thread, never interrupted: what every other run is held to."""
    out = tmp_path_factory.mktemp("alone") / "study"
    begun = time.monotonic()
    done = run("sweep", job, "--data", store, "--out", out, "--json", env={"BARSWEEP_THREADS": "1"})
    return out, json.loads(done.stdout), time.monotonic() - begun


def policy(folder):
    return (folder / "best/policy.bin").read_bytes()


def trial_attributes(folder, key):
    """trial -> value, of all trials that have it."""
    return {r["trial_id"]: r["user_attr"][key] for r in ledger(folder) if r["op_code"] == 8 and key in r["user_attr"]}


def params(folder, name):
    """trial -> index of the choice it drew."""
    return {r["trial_id"]: r["param_value_internal"] for r in ledger(folder)
            if r["op_code"] == 5 and r["param_name"] == name}


def start(job, store, out, *arguments, ranks=None, **env):
    command = [BARSWEEP, "sweep", job, "--data", store, "--out", out, *arguments]
    if ranks:
        command = ["mpirun", "--oversubscribe", "-n", str(ranks), *command]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, **env})


def wait_for(found, seconds=60):
    until = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < until
        time.sleep(0.01)


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


# Interruptions


@pytest.mark.parametrize("moment", range(MOMENTS))
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
    assert len(list((out / "checkpoints").iterdir())) == 1


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_ranks_killed_at_any_moment_go_on_to_the_same_ledger_and_policy(alone, store, job, tmp_path, moment):
    """The whole of mpirun or one of its ranks, by turns; the checkpoints are gone on from on whatever rank."""
    generator = random.Random(100 + moment)
    out = tmp_path / "study"
    for attempt in range(2):
        process = start(job, store, out, ranks=2, BARSWEEP_CHECKPOINT_SECONDS="0.01", BARSWEEP_THREADS="1")
        wait_for(lambda: (out / "ledger.jsonl").exists() or process.poll() is not None)
        time.sleep(generator.uniform(0, alone[2]))
        kill(process, "one" if (moment + attempt) % 2 else "all", generator)
        process.communicate()
    run("sweep", job, "--data", store, "--out", out, ranks=2, env={"BARSWEEP_THREADS": "1"})
    assert ledger(out) == ledger(alone[0])
    assert policy(out) == policy(alone[0])
    assert len(list((out / "checkpoints").iterdir())) == 1


def test_the_number_of_threads_that_libtorch_is_offered_changes_no_bit(alone, store, job, tmp_path):
    """One rank is offered four, the other one."""
    out = tmp_path / "study"
    sweep = [BARSWEEP, "sweep", job, "--data", store, "--out", out]
    subprocess.run(["mpirun", "--oversubscribe", "-n", "1", "-x", "OMP_NUM_THREADS=4", *sweep,
                    ":", "-n", "1", "-x", "OMP_NUM_THREADS=1", *sweep], check=True, capture_output=True)
    assert ledger(out) == ledger(alone[0])
    assert policy(out) == policy(alone[0])


@pytest.mark.parametrize("fault", ["no folder", "full disk"])
def test_a_checkpoint_that_cannot_be_written_costs_no_more_than_itself(alone, store, job, tmp_path, fault):
    out = tmp_path / "study"
    out.mkdir()
    if fault == "no folder":
        (out / "checkpoints").write_text("a file")
    blocks = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))   # bytes: less than a checkpoint
    done = run("sweep", job, "--data", store, "--out", out, preexec_fn=blocks if fault == "full disk" else None)
    assert "The trial goes on without this checkpoint." in done.stderr
    assert ledger(out) == ledger(alone[0])
    assert policy(out) == policy(alone[0])
    assert not list(out.glob("**/*.part"))


def steps_of(checkpoint):
    """A checkpoint's payload, behind three lines, begins with the steps it stands at."""
    return int.from_bytes(checkpoint.read_bytes().split(b"\n", 3)[3][:8], "little")


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGUSR2])
def test_a_stop_inside_a_long_rung_ends_soon_with_a_checkpoint_that_is_gone_on_from(store, job, tmp_path, sign):
    out = tmp_path / "study"
    checkpoints = [out / f"checkpoints/trial-{trial:06}.ckpt" for trial in (0, 1)]
    before = [0, 0]
    for _ in range(2):
        process = start(job, store, out, *LONG, BARSWEEP_CHECKPOINT_SECONDS="0.2", BARSWEEP_THREADS="2")
        wait_for(lambda: all(file.exists() and steps_of(file) > steps for file, steps in zip(checkpoints, before)))
        process.send_signal(sign)
        _, said = process.communicate(timeout=20)
        assert process.returncode == 75, said
        assert "begins anew" not in said
        after = [steps_of(file) for file in checkpoints]
        assert all(b > a for a, b in zip(before, after))
        before = after


def test_a_stop_while_a_winner_without_checkpoint_is_learned_again_ends_soon(store, job, tmp_path):
    out, checkpoint = tmp_path / "study", tmp_path / "study/checkpoints/trial-000000.ckpt"
    one = ["--study.trials", "1", "--rungs.bars", "160000"]
    run("sweep", job, "--data", store, "--out", out, *one)
    before = policy(out)
    checkpoint.unlink()
    process = start(job, store, out, *one, BARSWEEP_CHECKPOINT_SECONDS="0.1")
    wait_for(lambda: checkpoint.exists() or process.poll() is not None)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 75, said
    assert 0 < steps_of(checkpoint) < 160_000
    run("sweep", job, "--data", store, "--out", out, *one)
    assert policy(out) == before


def test_a_damaged_checkpoint_costs_time_alone(alone, store, job, tmp_path):
    out = tmp_path / "study"
    checkpoints = out / "checkpoints"
    process = start(job, store, out, BARSWEEP_CHECKPOINT_SECONDS="0.005", BARSWEEP_THREADS="1")
    wait_for(lambda: list(checkpoints.glob("*.ckpt")) or process.poll() is not None)
    process.kill()
    process.communicate()
    for file in checkpoints.glob("*.ckpt"):
        damaged = bytearray(file.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        file.write_bytes(damaged)
    said = run("sweep", job, "--data", store, "--out", out, env={"BARSWEEP_THREADS": "1"}).stderr
    assert "begins anew" in said
    assert ledger(out) == ledger(alone[0])
    assert policy(out) == policy(alone[0])


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
    scale = ["--reward.reward_scale", "1e38", "--search.pruner", "none", "--study.min_trades", "0"]
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
    """Time as the processors count it, since other programs run here; what the sweep spends beside its trials is loading
    and starting. A neighbour on the same core can still slow one of the two: of three tries one must agree."""
    arguments = [job, "--data", store, "--search.pruner", "none", "--space.agent.hidden", "choice 32,32 64,64",
                 "--rungs.bars", "16384 49152", "--json"]
    tries = []
    for attempt in range(3):
        told = json.loads(run("check", *arguments, env={"BARSWEEP_THREADS": "1"}).stdout)
        process = subprocess.Popen([BARSWEEP, "sweep", *map(str, arguments), "--out", tmp_path / f"study-{attempt}"],
                                   stdout=subprocess.DEVNULL, env={**os.environ, "BARSWEEP_THREADS": "1"})
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        assert told["memory_bytes"] == pytest.approx(used.ru_maxrss * 1024, rel=0.3)
        tries.append((told["seconds"], used.ru_utime + used.ru_stime))
        if told["seconds"] == pytest.approx(tries[-1][1], rel=0.3):
            return
    pytest.fail(f"check told, and the sweep took: {tries}")


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
