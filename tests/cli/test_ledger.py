"""A study moves between Optuna and Barsweep, and meets disks that are full and folders that can't be written."""
import json
import os
import pathlib
import subprocess

import pytest
from helpers import BARSWEEP, ROOT, ledger, run, synth_store

PYTHON = pathlib.Path(os.environ.get("BARSWEEP_PYTHON", ROOT / ".venv/bin/python"))
JOB = """\
[study]
name = moved
seed = 3
trials = {trials}
slots = 3
min_trades = 3
[account]
spread_bps = 1
[rungs]
bars = 1000 4000
[search]
sampler = random
pruner = halving
[space]
agent.fast = intlog 2 40
agent.slow = int 41 200
agent.long_flat = choice false true
account.target = float 1 5 step 0.5
"""

# Optuna's own loop on a journal: complete, pruned and failed trials, one enqueued, one left running.
OPTIMIZE = """\
import sys, warnings
import optuna
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
ledger, trials = sys.argv[1], int(sys.argv[2])
warnings.simplefilter("error")
optuna.logging.set_verbosity(optuna.logging.ERROR)
study = optuna.create_study(study_name="moved", direction="maximize", load_if_exists=True,
                            storage=JournalStorage(JournalFileBackend(ledger)), sampler=optuna.samplers.TPESampler(seed=1))

def objective(trial):
    fast = trial.suggest_int("agent.fast", 2, 40, log=True)
    slow = trial.suggest_int("agent.slow", 41, 200)
    trial.suggest_categorical("agent.long_flat", ["false", "true"])
    target = trial.suggest_float("account.target", 1, 5, step=0.5)
    trial.report(fast / slow, 1000)
    if trial.number % 4 == 1:
        raise optuna.TrialPruned()
    if trial.number % 4 == 2:
        raise ValueError("a failure")
    return target - fast / slow

study.enqueue_trial({"agent.fast": 5})
study.optimize(objective, n_trials=trials, catch=(ValueError,))
study.enqueue_trial({"agent.fast": 6})
study.ask()
study.enqueue_trial({"agent.fast": 7})
print([t.state.name for t in study.trials], study.best_trial.number)
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return synth_store(tmp_path_factory.mktemp("bars"))


@pytest.fixture
def study(store, tmp_path):
    """Runs Barsweep's and Optuna's part of a study in turn."""
    out = tmp_path / "study"
    out.mkdir()

    def sweep(trials, expect=0):
        job = tmp_path / "job.ini"
        job.write_text(JOB.format(trials=trials))
        return run("sweep", job, "--data", store, "--out", out, "--json", expect=expect)

    def optimize(trials):
        if subprocess.run([PYTHON, "-c", "import optuna"], capture_output=True).returncode if PYTHON.exists() else True:
            pytest.skip(f"{PYTHON} has no Optuna (BARSWEEP_PYTHON)")
        done = subprocess.run([PYTHON, "-c", OPTIMIZE, out / "ledger.jsonl", str(trials)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return out, sweep, optimize


def states(out):
    """A trial's last state by number, as the ledger's records say it."""
    found = []
    for record in ledger(out):
        if record["op_code"] == 4:
            found.append((record.get("state", 0)))
        if record["op_code"] == 6:
            found[record["trial_id"]] = record["state"]
    return found


def test_a_study_begun_in_optuna_goes_on_here(study):
    out, sweep, optimize = study
    optimize(9)
    theirs = (out / "ledger.jsonl").read_bytes()
    told = json.loads(sweep(20).stdout)
    whole = (out / "ledger.jsonl").read_bytes()
    assert whole.startswith(theirs)
    assert len(states(out)) == 20 and states(out)[9:11] == [0, 4]
    assert 11 <= told["best"]["trial"] < 20, "the best is one that was run here"
    assert told["trials"]["complete"] == states(out).count(1) and told["trials"]["fail"] == states(out).count(3)
    again = json.loads(sweep(20).stdout)
    assert (out / "ledger.jsonl").read_bytes() == whole and again["best"] == told["best"]
    reported = json.loads(run("report", out, "--json").stdout)
    assert reported["best"] == told["best"] and reported["trials"] == told["trials"]


def test_a_study_begun_here_goes_on_in_optuna_and_here_again(study):
    out, sweep, optimize = study
    sweep(6)
    ours = (out / "ledger.jsonl").read_bytes()
    optimize(5)
    both = (out / "ledger.jsonl").read_bytes()
    assert both.startswith(ours) and len(states(out)) == 13
    told = json.loads(sweep(20).stdout)
    whole = (out / "ledger.jsonl").read_bytes()
    assert whole.startswith(both) and len(states(out)) == 20
    assert told["best"]["trial"] < 6 or told["best"]["trial"] >= 13
    optimize(2)
    assert json.loads(sweep(30).stdout)["trials"]["complete"] == states(out).count(1)
    assert len(states(out)) == 30


def test_where_optuna_came_between_the_study_is_the_same_after_every_cut(study):
    out, sweep, optimize = study
    sweep(4)
    optimize(3)
    sweep(14)
    whole = (out / "ledger.jsonl").read_bytes()
    told = ledger(out)
    theirs = whole.rfind(b"\n", 0, whole.rfind(b'"worker_id":"barsweep"')) + 1
    last = max(i for i, line in enumerate(whole.splitlines()) if b'"worker_id":"barsweep"' not in line)
    begin = len(b"\n".join(whole.splitlines()[: last + 1])) + 1
    assert begin < theirs
    for cut in range(begin, whole.rindex(b'"test_opened:'), max(1, (len(whole) - begin) // 12)):
        (out / "ledger.jsonl").write_bytes(whole[:cut])
        sweep(14)
        assert ledger(out) == told, cut


@pytest.mark.parametrize("key,value,where", [
    ("--study.name", "another", "study.name"), ("--study.direction", "minimize", "study.direction"),
    ("--study.trials", "5", "study.trials"), ("--space.agent.slow", "int 41 42", r"ledger.jsonl:")])
def test_a_job_that_optunas_study_does_not_match_is_one_sentence_and_changes_nothing(study, store, tmp_path, key, value, where):
    out, _, optimize = study
    optimize(9)
    before = (out / "ledger.jsonl").read_bytes()
    job = tmp_path / "job.ini"
    job.write_text(JOB.format(trials=20))
    done = run("sweep", job, "--data", store, "--out", out, key, value, expect=3)
    assert done.stderr.count("To fix:") == 1 and where in done.stderr
    assert (out / "ledger.jsonl").read_bytes() == before
    assert sorted(file.name for file in out.iterdir()) == ["ledger.jsonl"]


# Disks and folders

@pytest.fixture
def small_disk(tmp_path):
    """A file system of its own of 300 KB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "none", folder], capture_output=True).returncode:
        pytest.skip("only root may mount a small file system here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_pauses_the_study_and_the_same_command_goes_on(store, small_disk, tmp_path):
    job = tmp_path / "job.ini"
    job.write_text(JOB.format(trials=150))
    run("sweep", job, "--data", store, "--out", tmp_path / "undisturbed")
    out, ballast = small_disk / "study", small_disk / "ballast"
    seen = set()
    for room in [0, 1, 4, 9, 20, 40, 60, 80, 100]:       # KB
        ballast.unlink(missing_ok=True)
        free = os.statvfs(small_disk)
        ballast.write_bytes(b"x" * max(0, free.f_bavail * free.f_bsize - room * 1024))
        done = subprocess.run([BARSWEEP, "sweep", job, "--data", store, "--out", out], capture_output=True, text=True)
        assert done.returncode == 5, f"{room} KB: {done.stderr}"
        sentences = [line for line in done.stderr.splitlines() if "To fix:" in line]
        assert len(sentences) == 1 and "No space left on device" in sentences[0], done.stderr
        assert not (out / "lock").exists() and not list(out.glob("*.part"))
        whole = (out / "ledger.jsonl").read_bytes() if (out / "ledger.jsonl").exists() else b""
        assert whole == b"" or whole.endswith(b"\n")
        seen.add(len(whole))
    assert len(seen) > 3, "the study never came further"
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    run("sweep", job, "--data", store, "--out", out)
    assert ledger(out) == ledger(tmp_path / "undisturbed")


def test_a_folder_that_becomes_read_only_is_one_sentence_and_the_same_command_goes_on(store, small_disk, tmp_path):
    job = tmp_path / "job.ini"
    job.write_text(JOB.format(trials=20))
    out = small_disk / "study"
    run("sweep", job, "--data", store, "--out", out)
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    try:
        refused = run("sweep", job, "--data", store, "--out", out, expect=3)
        assert refused.stderr.count("To fix:") == 1 and "Read-only file system" in refused.stderr
        assert json.loads(run("report", out, "--json").stdout)["trials"]
    finally:
        subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    assert before == {file.name: file.read_bytes() for file in out.iterdir()}
    job.write_text(JOB.format(trials=24))
    run("sweep", job, "--data", store, "--out", out)
    assert (out / "ledger.jsonl").read_bytes().startswith(before["ledger.jsonl"])
