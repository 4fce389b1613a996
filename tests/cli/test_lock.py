"""One program at a time on a study's folder: refused, let go on every way out, taken over from the dead."""
import json
import re
import signal
import subprocess
import time

import pytest
from helpers import BARSWEEP, run, synth_store

JOB = """\
[study]
name = lock
trials = {trials}
slots = 4
min_trades = 3
[account]
spread_bps = 1
[rungs]
bars = 1000 4000 12000
[space]
agent.fast = int 2 20
agent.slow = int 21 100
"""


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """Of a study that lasts as many trials as asked."""
    folder = tmp_path_factory.mktemp("bars")
    store = synth_store(folder)

    def make(out, trials):
        job = folder / f"job-{trials}.ini"
        job.write_text(JOB.format(trials=trials))
        return ["sweep", job, "--data", store, "--out", out]

    return make


def begin(command, out):
    process = subprocess.Popen([BARSWEEP, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (out / "ledger.jsonl").exists() or not (out / "ledger.jsonl").stat().st_size:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    return process


def test_a_second_start_is_refused_by_host_and_pid_and_the_first_goes_on(command, tmp_path):
    process = begin(command(tmp_path, 100_000), tmp_path)
    refused = run(*command(tmp_path, 100_000), expect=3).stderr
    host = subprocess.run(["hostname"], capture_output=True, text=True).stdout.strip()
    assert refused == (f"barsweep: {tmp_path}: expected a study that no other program is running, found one run by host {host} "
                       f"pid {process.pid}. To fix: wait for it, stop it, or choose another --out.\n")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 75
    assert not (tmp_path / "lock").exists()


def test_a_killed_starts_lock_is_taken_over_and_said(command, tmp_path):
    process = begin(command(tmp_path, 100_000), tmp_path)
    process.kill()
    process.wait()
    assert f" pid {process.pid} " in (tmp_path / "lock").read_text()
    again = begin(command(tmp_path, 100_000), tmp_path)
    while f" pid {again.pid} " not in (tmp_path / "lock").read_text():
        time.sleep(0.01)
    again.send_signal(signal.SIGTERM)
    assert again.wait(timeout=60) == 75
    assert re.search(rf"took over from host \S+ pid {process.pid}, which no longer runs", again.stderr.read())


@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_end_lets_go(command, tmp_path, seed):
    assert run(*command(tmp_path, 4), expect=None).returncode in (0, 4)
    assert not (tmp_path / "lock").exists()
    if seed == "2":                                    # a refusal of the ledger, with the lock held
        refused = run(*command(tmp_path, 4), "--study.seed", "2", expect=3).stderr
        assert refused.startswith("barsweep: study.seed: expected ")
        assert not (tmp_path / "lock").exists()


def test_the_second_ctrl_c_leaves_a_lock_that_stops_nobody(command, tmp_path):
    process = begin(command(tmp_path, 100_000), tmp_path)
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        time.sleep(0.001)
    assert process.returncode in (75, 130, -signal.SIGINT)
    told = json.loads(run(*command(tmp_path, 100_000), "--study.timeout", "1ms", "--json", expect=None).stdout)
    assert told["verdict"].startswith("Not finished")
    assert not (tmp_path / "lock").exists()
