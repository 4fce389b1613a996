"""What the tests of the real program share: running it, alone or under mpirun, and reading its ledger."""
import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

BARSWEEP = os.environ["BARSWEEP"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("BARSWEEP_SHARED", ROOT.parent / "shared"))
FULL = os.environ.get("BARSWEEP_FULL") == "1"
VOLATILE = {"worker_id", "datetime_start", "datetime_complete", "datetime", "seconds", "rank", "device"}


def shared(path):
    """A file for local tests only; the test skips, visibly, on a machine without it."""
    file = SHARED / path
    if not file.exists():
        pytest.skip(f"{file} isn't on this machine (BARSWEEP_SHARED)")
    return file


def run(*arguments, ranks=None, expect=0, env=None, **options):
    """Runs barsweep (under mpirun where ranks are given) and returns its CompletedProcess."""
    command = [BARSWEEP, *map(str, arguments)]
    if ranks:
        command = ["mpirun", "--oversubscribe", "-n", str(ranks), *command]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(env or {})}, **options)
    assert expect is None or done.returncode == expect, f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def stable(value):
    """A record without what may differ between two runs of one job."""
    if isinstance(value, dict):
        return {k: stable(v) for k, v in value.items() if k not in VOLATILE}
    return [stable(v) for v in value] if isinstance(value, list) else value


def ledger(folder):
    """The study's records; NaN as text, so that equal ledgers compare equal."""
    lines = (pathlib.Path(folder) / "ledger.jsonl").read_text().splitlines()
    return [stable(json.loads(line, parse_constant=str)) for line in lines]


def synth_store(folder, bars=20_000, seed=7, kind="ou"):
    """A store of synthetic minute bars."""
    csv, store = folder / "bars.csv", folder / "bars.h5"
    run("synth", "--kind", kind, "--bars", bars, "--seed", seed, "--out", csv)
    run("ingest", csv, "--out", store, "--symbol", "SYNTH")
    return store


def ranks_of(process):
    """Pids of the barsweep processes under this mpirun."""
    found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True)
    return [int(pid) for pid in found.stdout.split()]


def kill(process, whom, generator):
    """Ends "all" of this mpirun, or "one" of its ranks, by SIGKILL, and waits until all have gone."""
    pids = ranks_of(process)
    for pid in [*pids, process.pid] if whom == "all" or not pids else [generator.choice(pids)]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait(timeout=60)
    for pid in pids:                       # mpirun ends what is left of the job; wait until it has
        while runs(pid):
            time.sleep(0.01)


def runs(pid):
    try:
        return open(f"/proc/{pid}/stat").read().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
