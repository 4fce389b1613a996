"""A sweep of DQN that is killed, stopped or can't keep its checkpoints goes on to the same ledger and policy."""
import random
import resource
import signal
import subprocess
import time

import pytest
from dqn_study import LONG, MOMENTS, alone, job, policy, start, store, wait_for
from helpers import BARSWEEP, kill, ledger, run


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
