"""The real Optuna reads a finished study's ledger: trials, states, parameters, rungs, best, attributes. Under
BARSWEEP_FULL=1 its older versions do too (scripts/setup --full)."""
import json
import os
import pathlib
import subprocess

import pytest
from helpers import FULL, ROOT, run, synth_store

PYTHONS = {"5.0": pathlib.Path(os.environ.get("BARSWEEP_PYTHON", ROOT / ".venv/bin/python")),
           **{version: ROOT / f".venv-optuna_{version}/bin/python" for version in (["4.5", "3.6"] if FULL else [])}}

JOB = """\
[study]
name = optuna
seed = 5
trials = 40
slots = 4
min_trades = 3

[account]
initial = 10000
spread_bps = 1
barrier = exit

[agent]
kind = rule

[rungs]
bars = 1000 4000 10000

[search]
sampler = random
pruner = halving

[space]
agent.fast = intlog 2 40
agent.slow = int 41 200
agent.long_flat = choice false true
account.hold = int 10 243 step 10
account.target = float 1 5 step 0.3
account.stop = log 0.5 3
"""

# Runs under the Python that has Optuna; prints what it sees as JSON. A warning (a distribution that
# Optuna had to correct, say) is an error.
READER = """\
import json, sys, warnings
import optuna
from optuna.storages import JournalStorage
try:
    from optuna.storages.journal import JournalFileBackend
except ImportError:  # before 4.0
    from optuna.storages import JournalFileStorage as JournalFileBackend
ledger, sqlite, version = sys.argv[1:]
assert optuna.__version__.startswith(version), optuna.__version__
warnings.simplefilter("error")
warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
optuna.logging.set_verbosity(optuna.logging.ERROR)
storage = JournalStorage(JournalFileBackend(ledger))

def told(study):
    return {
        "direction": study.direction.name,
        "best": study.best_trial.number,
        "best_value": study.best_value,
        "user_attrs": study.user_attrs,
        "trials": [
            {
                "number": t.number,
                "state": t.state.name,
                "values": t.values,
                "params": t.params,
                "distributions": {k: repr(d) for k, d in t.distributions.items()},
                "rungs": sorted(t.intermediate_values.items()),
                "user_attrs": t.user_attrs,
                "in_order": t.datetime_complete is not None and t.datetime_start <= t.datetime_complete,
            }
            for t in study.trials
        ],
    }

first = told(optuna.load_study(study_name="optuna", storage=storage))
optuna.copy_study(from_study_name="optuna", from_storage=storage, to_storage=sqlite)
copy = told(optuna.load_study(study_name="optuna", storage=sqlite))
print(json.dumps({"journal": first, "sqlite": copy}))
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("optuna")
    job, out = folder / "job.ini", folder / "study"
    job.write_text(JOB)
    return out, json.loads(run("sweep", job, "--data", synth_store(folder), "--out", out, "--json", expect=None).stdout)


@pytest.fixture(scope="module", params=PYTHONS)
def seen(request, swept, tmp_path_factory):
    """The sweep's own records, what it said, and what Optuna read of both storages."""
    python = PYTHONS[request.param]
    if subprocess.run([python, "-c", "import optuna"], capture_output=True).returncode if python.exists() else True:
        pytest.skip(f"{python} has no Optuna (scripts/setup --full, BARSWEEP_PYTHON)")
    out, said = swept
    before = (out / "ledger.jsonl").read_bytes()
    copy = tmp_path_factory.mktemp("copy") / "copy.db"
    read = subprocess.run([python, "-c", READER, out / "ledger.jsonl", f"sqlite:///{copy}", request.param],
                          capture_output=True, text=True)
    assert read.returncode == 0, read.stderr
    assert (out / "ledger.jsonl").read_bytes() == before, "reading changed the ledger"
    records = [json.loads(line) for line in before.decode().splitlines()]
    return records, said, json.loads(read.stdout)


def test_all_trials_are_there_with_their_states(seen):
    records, said, read = seen
    states = {1: "COMPLETE", 2: "PRUNED", 3: "FAIL"}
    ends = {r["trial_id"]: r for r in records if r["op_code"] == 6}
    trials = read["journal"]["trials"]
    assert [t["number"] for t in trials] == list(range(40))
    assert [t["state"] for t in trials] == [states[ends[n]["state"]] for n in range(40)]
    for state in ("complete", "pruned", "fail"):
        assert sum(t["state"] == state.upper() for t in trials) == said["trials"][state]
    assert all(t["in_order"] for t in trials)


def test_the_best_trial_is_the_sweeps(seen):
    _, said, read = seen
    assert read["journal"]["direction"] == "MAXIMIZE"
    assert read["journal"]["best"] == said["best"]["trial"]
    assert read["journal"]["best_value"] == said["best"]["score"]
    trial = read["journal"]["trials"][said["best"]["trial"]]
    assert {k: str(v) for k, v in trial["params"].items() if isinstance(v, (int, str))} == \
           {k: str(v) for k, v in said["best"]["params"].items() if isinstance(trial["params"][k], (int, str))}


def test_parameters_and_distributions_are_the_jobs(seen):
    _, _, read = seen
    for trial in read["journal"]["trials"]:
        assert trial["distributions"] == {
            "account.hold": "IntDistribution(high=240, log=False, low=10, step=10)",
            "account.stop": "FloatDistribution(high=3.0, log=True, low=0.5, step=None)",
            "account.target": "FloatDistribution(high=4.9, log=False, low=1.0, step=0.3)",
            "agent.fast": "IntDistribution(high=40, log=True, low=2, step=1)",
            "agent.long_flat": "CategoricalDistribution(choices=('false', 'true'))",
            "agent.slow": "IntDistribution(high=200, log=False, low=41, step=1)",
        }
        params = trial["params"]
        assert params["account.hold"] in range(10, 241, 10)
        assert 2 <= params["agent.fast"] <= 40 < params["agent.slow"] <= 200
        assert params["agent.long_flat"] in ("false", "true")
        assert 0.5 <= params["account.stop"] <= 3
        assert round(params["account.target"], 1) == params["account.target"]


def test_rung_values_are_the_reports(seen):
    _, _, read = seen
    steps = [1000, 4000, 10000]
    for trial in read["journal"]["trials"]:
        attributes = trial["user_attrs"]
        for rung, (step, score) in enumerate(trial["rungs"]):
            report = attributes[f"rung_{rung}"]
            assert int(step) == steps[rung]
            assert score == report["score"] or (score != score and report["score"] is None and report["reason"])
        if trial["state"] == "COMPLETE":
            assert len(trial["rungs"]) == 3 and trial["values"] == [trial["rungs"][-1][1]]
        else:
            assert trial["values"] is None and attributes["cause"]


def test_the_study_carries_what_it_stands_on(seen):
    records, _, read = seen
    written = {}
    for record in records:
        if record["op_code"] == 2:
            written.update(record["user_attr"])
    assert read["journal"]["user_attrs"] == written
    assert len(written) > 5


def test_copies_into_sqlite(seen):
    _, _, read = seen
    journal, copy = read["journal"], read["sqlite"]
    assert copy["best"] == journal["best"] and copy["best_value"] == journal["best_value"]
    for ours, theirs in zip(journal["trials"], copy["trials"], strict=True):
        assert {k: ours[k] for k in ("state", "values", "params", "distributions", "user_attrs")} == \
               {k: theirs[k] for k in ("state", "values", "params", "distributions", "user_attrs")}
