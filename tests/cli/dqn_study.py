"""What the tests of the learning sweep share: a job, its bars, and the study that every other is held to."""
import json
import os
import subprocess
import time

import pytest
from helpers import BARSWEEP, FULL, ledger, run, synth_store

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
agent.activation = choice relu tanh silu
agent.layer_norm = choice false true
agent.dueling = choice false true
agent.n_step = int 1 3
agent.prioritised = choice false true
agent.distribution = choice none c51 quantile
"""
MOMENTS = 25 if FULL else 5              # to kill a sweep at
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


def check_agrees_with_the_sweep(folder, *arguments):
    """What `check` tells is what the sweep takes, within a third. Time as the processors count it, since other programs
    run here; what the sweep spends beside its trials is loading and starting. A neighbour on the same core can still slow
    one of the two: of three tries one must agree."""
    arguments = [*map(str, arguments), "--json"]
    tries = []
    for attempt in range(3):
        told = json.loads(run("check", *arguments, env={"BARSWEEP_THREADS": "1"}).stdout)
        process = subprocess.Popen([BARSWEEP, "sweep", *arguments, "--out", folder / f"study-{attempt}"],
                                   stdout=subprocess.DEVNULL, env={**os.environ, "BARSWEEP_THREADS": "1"})
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        assert told["memory_bytes"] == pytest.approx(used.ru_maxrss * 1024, rel=0.3)
        tries.append((told["seconds"], used.ru_utime + used.ru_stime))
        if told["seconds"] == pytest.approx(tries[-1][1], rel=0.3):
            return
    pytest.fail(f"check told, and the sweep took: {tries}")
