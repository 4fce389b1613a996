"""Samplers, pruners, schedules and points to try first, from outside: what a sweep does with them and says of them."""
import json

import pytest
from helpers import ledger, run, synth_store

JOB = """\
[study]
seed = 3
trials = 30
slots = 6
min_trades = 3
[account]
initial = 10000
spread_bps = 1
barrier = exit
[agent]
kind = rule
[rungs]
bars = 1000 4000 10000
[space]
agent.fast = int 2 40
agent.slow = int 41 200
agent.long_flat = choice false true
account.barrier = choice off exit
account.hold = int 10 240 step 10 if account.barrier = exit
account.target = float 1 5 if account.barrier = exit
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return synth_store(tmp_path_factory.mktemp("bars"))


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    path = tmp_path_factory.mktemp("job") / "job.ini"
    path.write_text(JOB)
    return path


def params(out):
    """A dict of trial -> parameters as the ledger has them."""
    found = {}
    for record in ledger(out):
        if record["op_code"] == 5:
            found.setdefault(record["trial_id"], {})[record["param_name"]] = record["param_value_internal"]
    return found


@pytest.mark.parametrize("sampler", ["sobol", "tpe", "cmaes", "gp", "grid"])
def test_a_sampler_gives_the_same_ledger_on_any_number_of_ranks_and_draws_conditions(store, job, tmp_path, sampler):
    space = ["--space.agent.fast", "int 2 4", "--space.agent.slow", "int 41 43",
             "--space.account.target", "int 1 2 if account.barrier = exit"] if sampler == "grid" else []
    command = ["sweep", job, "--data", store, "--search.sampler", sampler, "--search.pruner", "halving", *space]
    run(*command, "--out", tmp_path / "one", env={"BARSWEEP_THREADS": "1"})
    run(*command, "--out", tmp_path / "two", ranks=2)
    assert ledger(tmp_path / "one") == ledger(tmp_path / "two")
    drawn = params(tmp_path / "one")
    barriers = {chosen["account.barrier"] for chosen in drawn.values()}
    assert barriers == {0, 1} and len(drawn) == 30
    assert all(("account.hold" in chosen) == (chosen["account.barrier"] == 1) for chosen in drawn.values())


def test_asha_promotes_and_the_report_says_why(store, job, tmp_path):
    out = tmp_path / "study"
    told = json.loads(run("sweep", job, "--data", store, "--out", out, "--search.pruner", "asha", "--json").stdout)
    assert told["trials"]["running"] == 0 and told["trials"]["complete"] > 0 and told["trials"]["pruned"] > 0
    promoted = [record for record in ledger(out) if record["op_code"] == 8 and "promoted_0" in record["user_attr"]]
    waited = [record for record in ledger(out) if record["op_code"] == 8 and "paused_0" in record["user_attr"]]
    assert promoted and waited
    report = run("report", out, "--top", "30").stdout
    assert "at step 1000 isn't among the best" in report and "at the study's end" in report
    assert "is among the best" in report
    before = (out / "ledger.jsonl").read_bytes()
    run("sweep", job, "--data", store, "--out", out, "--search.pruner", "asha", ranks=2)
    assert (out / "ledger.jsonl").read_bytes() == before


def test_an_eager_sweep_goes_on_where_it_was_and_says_how_busy_its_slots_were(store, job, tmp_path):
    out = tmp_path / "study"
    command = ["sweep", job, "--data", store, "--out", out, "--study.schedule", "eager", "--search.pruner", "halving"]
    done = run(*command, "--json", ranks=2)
    told = json.loads(done.stdout)
    assert told["trials"]["running"] == 0 and 0 < told["busy"] <= 1
    assert "slots were busy" in done.stderr and "(study.schedule = eager)" in done.stderr
    whole = (out / "ledger.jsonl").read_bytes()
    assert json.loads(run(*command, "--json").stdout)["best"] == told["best"]
    assert (out / "ledger.jsonl").read_bytes() == whole
    lines = whole.splitlines(keepends=True)
    (out / "ledger.jsonl").write_bytes(b"".join(lines[:len(lines) // 2]))
    told = json.loads(run(*command, "--json").stdout)
    assert told["trials"]["running"] == 0
    assert (out / "ledger.jsonl").read_bytes().startswith(b"".join(lines[:len(lines) // 2]))


def test_points_to_try_first_come_first(store, job, tmp_path):
    points, out = tmp_path / "points.csv", tmp_path / "study"
    points.write_text("agent.fast,account.barrier,account.hold\n7,exit,50\n8,off,\n")
    command = ["sweep", job, "--data", store, "--out", out, "--search.enqueue", points]
    run(*command)
    drawn = params(out)
    assert drawn[0]["agent.fast"] == 7 and drawn[0]["account.hold"] == 50 and "account.target" in drawn[0]
    assert drawn[1]["agent.fast"] == 8 and "account.hold" not in drawn[1]
    before = (out / "ledger.jsonl").read_bytes()
    run(*command)
    assert (out / "ledger.jsonl").read_bytes() == before
    points.write_text("agent.fast\n9\n")
    assert "search.enqueue_sha256: expected " in run(*command, expect=3).stderr
    points.write_text("agent.fast\n41\n")
    assert run(*command, expect=3).stderr == (
        f"barsweep: {points}:2: expected agent.fast as a value that [space] can draw, found '41'. "
        "To fix: correct the file that search.enqueue names.\n")


def test_a_condition_that_cannot_be_is_told_before_the_first_trial(store, job, tmp_path):
    done = run("check", job, "--data", store, "--space.account.hold", "int 10 20 if account.barrier = on", expect=3)
    assert "account.hold: account.barrier is never on" in done.stderr
    done = run("check", job, "--data", store, "--space.account.hold", "int 10 20 if agent.sort = on", expect=3)
    assert "account.hold: there is no agent.sort that its condition could stand on" in done.stderr


def test_check_says_where_a_cut_could_come_too_early(job, tmp_path):
    path = tmp_path / "dqn.ini"
    path.write_text("[agent]\nkind = dqn\n[rungs]\nbars = 1600 4800 16000\n[search]\npruner = median\n")
    store = synth_store(tmp_path, bars=6_000)
    notes = json.loads(run("check", path, "--data", store, "--json").stdout)["notes"]
    assert len(notes) == 2 and all(note.startswith("a trial may be cut at 1600 steps, before it") for note in notes)
    assert "seen every training bar once" in notes[0] and "epsilon has come down" in notes[1]
    text = run("check", path, "--data", store, "--search.warmup", "16000").stdout
    assert "\nnote " not in text
