"""optuna-dashboard shows a sweep in a real browser while it runs. Where both are (scripts/setup --full), or visibly skipped."""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

import pytest
from helpers import BARSWEEP, ROOT, run, synth_store

DASHBOARD = pathlib.Path(os.environ.get("BARSWEEP_DASHBOARD", ROOT / ".venv-dashboard/bin/optuna-dashboard"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
JOB = """\
[study]
name = shown live
trials = 1000000
slots = 4
min_trades = 3
[account]
spread_bps = 1
[rungs]
bars = 20000 60000 100000
[search]
pruner = halving
[space]
agent.fast = intlog 2 40
agent.slow = int 41 200
agent.long_flat = choice false true
account.target = float 1 5
"""


@pytest.fixture
def running(tmp_path):
    """A sweep that won't end by itself."""
    if not DASHBOARD.exists() or not CHROMIUM:
        pytest.skip("no optuna-dashboard or no Chromium here (scripts/setup --full, BARSWEEP_DASHBOARD)")
    job, out = tmp_path / "job.ini", tmp_path / "study"
    job.write_text(JOB)
    store = synth_store(tmp_path, bars=200_000)
    process = subprocess.Popen([BARSWEEP, "sweep", job, "--data", store, "--out", out], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env={**os.environ, "BARSWEEP_THREADS": "1"})
    while not (out / "ledger.jsonl").exists() or (out / "ledger.jsonl").read_bytes().count(b'"op_code":6') < 5:
        assert process.poll() is None
        time.sleep(0.05)
    yield out, process
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 75


@pytest.fixture
def dashboard(running):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([DASHBOARD, running[0] / "ledger.jsonl", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/dashboard"
    for _ in range(600):
        try:
            urllib.request.urlopen(address, timeout=5)
            break
        except OSError:
            assert server.poll() is None
            time.sleep(0.1)
    yield address
    server.terminate()
    server.wait(timeout=30)


def browse(address, tmp_path, *options):
    """What a browser makes of a page once its scripts have run."""
    done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={tmp_path}/chromium",
                           "--window-size=1400,1000", "--timeout=40000", "--virtual-time-budget=15000", *options, address],
                          capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    return done.stdout


def shown_trials(page):
    return {int(number) for number in re.findall(r"Trial (\d+)\b", page)}


def test_the_dashboard_shows_the_study_and_its_trials_while_they_run(running, dashboard, tmp_path):
    out, process = running
    assert "shown live" in browse(dashboard, tmp_path, "--dump-dom")
    page = browse(f"{dashboard}/studies/0/trials", tmp_path, "--dump-dom")
    assert {0, 1, 2, 3} <= shown_trials(page)
    assert "Complete" in page or "Pruned" in page
    for name in ["agent.fast", "agent.slow", "agent.long_flat", "account.target"]:
        assert name in page, name
    picture = pathlib.Path(os.environ.get("BARSWEEP_SCREENSHOT", tmp_path / "dashboard.png"))
    browse(f"{dashboard}/studies/0", tmp_path, f"--screenshot={picture}")
    assert picture.stat().st_size > 20_000
    later = browse(f"{dashboard}/studies/0/trials", tmp_path, "--dump-dom")
    assert process.poll() is None
    assert max(shown_trials(later)) >= max(shown_trials(page))
    run("report", out)
