"""Progress on stderr: one line drawn over itself on a terminal, plain lines elsewhere."""
import os
import pty
import re
import subprocess

import pytest
from helpers import BARSWEEP, FULL, ROOT, synth_store

STANDS = r"\d+ of TRIALS trials(, best -?[\d.e+-]+ \(trial \d+\))?, [\d.]+ (M )?bars/s(, \d+[smh]\w* left)?"


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    """The command: some seconds of sweep on one thread."""
    folder = tmp_path_factory.mktemp("progress")
    store = synth_store(folder, bars=366_710)
    return lambda name, trials: [BARSWEEP, "sweep", ROOT / "jobs/sma_minute.ini", "--data", store, "--out", folder / name,
                                 "--study.trials", str(trials), "--search.pruner", "none"]


def drawn(command):
    """What the command writes to a terminal as its stderr."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs,
                               env={**os.environ, "BARSWEEP_THREADS": "1"})
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        text += piece
    os.close(ours)
    assert process.wait() == 0
    return text.decode()


def test_on_a_terminal_one_line_is_drawn_over_itself(sweep):
    text = drawn(sweep("terminal", 200))
    drawn_over, after = text.split("\r\n", 1)
    assert re.fullmatch("barsweep: slots were busy .*\r\n", after), after
    lines = drawn_over.split("\r")[1:]
    assert lines and "\n" not in "".join(lines)
    for line in lines:
        assert re.fullmatch(STANDS.replace("TRIALS", "200") + re.escape("\x1b[K"), line), line


def test_elsewhere_a_short_sweep_prints_no_progress(sweep):
    done = subprocess.run(sweep("elsewhere", 200), capture_output=True, text=True)
    assert done.returncode == 0 and "\r" not in done.stderr and "\x1b" not in done.stderr


@pytest.mark.skipif(not FULL, reason="lines come every ten seconds: only check --full waits for one")
def test_elsewhere_a_plain_line_comes_every_ten_seconds(sweep):
    command = [*sweep("long", 40_000), "--study.timeout", "15s"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "BARSWEEP_THREADS": "1"})
    assert done.returncode == 0
    assert re.search("^barsweep: " + STANDS.replace("TRIALS", "40000") + "$", done.stderr, re.M)
