"""The sweep from outside: the same ledger on any number of ranks and threads, and what it says."""
import json

import pytest
from helpers import ledger, run, synth_store

JOB = """\
[study]
name = ranks
seed = 3
trials = 24
slots = 6
min_trades = 3

[data]
train = 0.6
validation = 0.2
test = 0.2

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
agent.fast = int 2 40
agent.slow = int 41 200
agent.long_flat = choice false true
account.hold = int 10 240 step 10
account.target = float 1 5
account.stop = float 0.5 3
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return synth_store(tmp_path_factory.mktemp("bars"))


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    path = tmp_path_factory.mktemp("job") / "job.ini"
    path.write_text(JOB)
    return path


@pytest.fixture(scope="module")
def alone(store, job, tmp_path_factory):
    """The job on one rank and one thread: what every other run is held to."""
    out = tmp_path_factory.mktemp("alone") / "study"
    done = run("sweep", job, "--data", store, "--out", out, "--json", env={"BARSWEEP_THREADS": "1"})
    return out, json.loads(done.stdout)


@pytest.mark.parametrize("ranks,threads", [(1, 2), (2, 1), (2, 2), (4, 1)])
def test_gives_the_same_ledger_on_any_number_of_ranks_and_threads(alone, store, job, tmp_path, ranks, threads):
    out = tmp_path / "study"
    run("sweep", job, "--data", store, "--out", out, ranks=ranks, env={"BARSWEEP_THREADS": str(threads)})
    assert ledger(out) == ledger(alone[0])


def test_a_second_start_answers_from_what_is_there(alone, store, job):
    out, first = alone
    before = (out / "ledger.jsonl").read_bytes()
    again = json.loads(run("sweep", job, "--data", store, "--out", out, "--json").stdout)
    assert (out / "ledger.jsonl").read_bytes() == before
    assert again["best"] == first["best"]


def test_tells_trials_winner_and_test_window(alone):
    _, told = alone
    assert sum(told["trials"].values()) == 24
    best = told["best"]
    assert best["score"] == pytest.approx(best["validation"]["sharpe"])
    assert {"sharpe", "total_return", "max_drawdown"} <= set(best["test"])
    assert told["verdict"]


@pytest.mark.parametrize("window", ["validation", "test"])
def test_the_winners_money_is_what_backtest_gives_for_the_same_rule(alone, store, job, tmp_path, window):
    """Without a sweep: bars up to the window's end, and the rule's own decisions from its first row on."""
    best = alone[1]["best"]
    params = best["params"]
    rows = json.loads(run("check", job, "--data", store, "--json").stdout)["windows"][window]
    bars, cut = tmp_path / "bars.csv", tmp_path / "bars.h5"
    lines = (store.parent / "bars.csv").read_text().splitlines()
    bars.write_text("\n".join(lines[: rows["last"] + 2]) + "\n")
    run("ingest", bars, "--out", cut)

    account = ["--account.spread_bps", "1", "--account.barrier", "exit"]
    account += [word for key in ("hold", "target", "stop") for word in (f"--account.{key}", params[f"account.{key}"])]
    rule = f"sma:{params['agent.fast']}:{params['agent.slow']}" + (":long_flat" if params["agent.long_flat"] == "true" else "")
    asked, actions = tmp_path / "asked.csv", tmp_path / "actions.csv"
    run("backtest", cut, "--rule", rule, *account, "--actions-out", asked)
    header, *decisions = asked.read_text().splitlines()
    actions.write_text("\n".join([header, *decisions[rows["first"]:]]) + "\n")
    alone_again = json.loads(run("backtest", cut, "--actions", actions, *account, "--json").stdout)["metrics"]
    for name in ("total_return", "max_drawdown", "win_rate", "average_trade", "profit_factor", "turnover"):
        assert alone_again[name] == best[window][name], name


def test_another_seed_is_another_study_and_the_folder_refuses_it(alone, store, job):
    done = run("sweep", job, "--data", store, "--out", alone[0], "--study.seed", "4", expect=3)
    assert "study.seed" in done.stderr and "To fix:" in done.stderr


def test_more_trials_go_on_in_the_same_folder(store, job, tmp_path):
    few, many = tmp_path / "few", tmp_path / "many"
    run("sweep", job, "--data", store, "--out", few, "--study.trials", "8")
    run("sweep", job, "--data", store, "--out", few, "--study.trials", "12")
    run("sweep", job, "--data", store, "--out", many, "--study.trials", "12")
    trials = lambda folder: [r for r in ledger(folder) if r["op_code"] == 4]
    assert len(trials(few)) == len(trials(many)) == 12


def test_a_trial_that_cannot_be_is_a_failure_with_its_cause_and_the_study_goes_on(store, job, tmp_path):
    text = JOB.replace("agent.slow = int 41 200", "agent.slow = int 10 60")
    bad = tmp_path / "job.ini"
    bad.write_text(text)
    told = json.loads(run("sweep", bad, "--data", store, "--out", tmp_path / "study", "--json").stdout)
    assert told["trials"]["fail"] > 0 and told["trials"]["complete"] > 0
    causes = [r["user_attr"]["cause"] for r in ledger(tmp_path / "study") if "cause" in r.get("user_attr", {})]
    assert any("agent.slow" in cause for cause in causes)
