"""The winner as a policy that anyone can run: `backtest --model` from outside."""
import json
import shutil

import pytest
from helpers import ledger, run, synth_store

JOB = """\
[study]
seed = 2
trials = 3
slots = 3
min_trades = 1
[account]
spread_bps = 1
barrier = exit
[agent]
kind = dqn
learning_starts = 256
lanes = 8
episode = 256
[rungs]
bars = 4096
[space]
agent.hidden = choice 16 32,16
account.hold = int 5 60
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundle")
    store, job = synth_store(folder, bars=4_000, kind="sine"), folder / "job.ini"
    job.write_text(JOB)
    told = json.loads(run("sweep", job, "--data", store, "--out", folder / "study", "--json").stdout)
    return folder / "study", store, told


def backtest(store, model, *arguments, **options):
    return run("backtest", store, "--model", model, *arguments, **options)


def defined(metrics):
    return {name: value for name, value in metrics.items() if value is not None and not name.endswith("_reason")}


@pytest.mark.parametrize("window", ["validation", "test"])
def test_gives_the_sweeps_numbers_again_bit_for_bit(study, window):
    folder, store, told = study
    again = json.loads(backtest(store, folder / "best", "--window", window, "--json").stdout)
    assert defined(again["metrics"]) == defined(told["best"][window])
    assert set(again["metrics"]) == {n for n in told["best"][window] if not n.endswith("_reason")}


def test_gives_the_ledgers_numbers_of_the_winners_last_rung(study):
    folder, store, told = study
    again = json.loads(backtest(store, folder / "best", "--window", "validation", "--json").stdout)
    rung = [r["user_attr"]["rung_0"] for r in ledger(folder)
            if r["op_code"] == 8 and "rung_0" in r["user_attr"] and r["trial_id"] == told["best"]["trial"]]
    assert len(rung) == 1 and rung[0]["metrics"] == defined(again["metrics"])


def test_a_bundle_that_cannot_be_written_is_one_sentence(study, tmp_path):
    folder, store, _ = study
    (tmp_path / "study").mkdir()
    (tmp_path / "study/best").write_text("a file")
    refused = run("sweep", folder / "job.ini", "--data", store, "--out", tmp_path / "study", expect=3)
    assert "best/policy.bin: expected a file that can be written" in refused.stderr and refused.stderr.count("To fix:") == 1


def test_says_the_same_by_its_own_actions_and_fills(study, tmp_path):
    folder, store, _ = study
    by_policy, by_actions = tmp_path / "policy.csv", tmp_path / "actions.csv"
    actions = tmp_path / "wanted.csv"
    first = backtest(store, folder / "best", "--window", "test", "--fills", by_policy, "--actions-out", actions, "--json")
    hold = json.loads((folder / "best/bundle.json").read_text())["job"]["account.hold"]
    again = run("backtest", store, "--actions", actions, "--job", folder / "job.ini", "--account.hold", hold,
                "--window", "test", "--fills", by_actions, "--json")
    assert json.loads(first.stdout) == json.loads(again.stdout)
    assert by_policy.read_bytes() == by_actions.read_bytes() and by_policy.read_text().count("\n") > 10


def test_runs_every_bar_after_the_warm_up_unless_told_otherwise(study):
    folder, store, _ = study
    told = json.loads(backtest(store, folder / "best", "--json").stdout)
    assert (told["first_row"], told["last_row"]) == (240, 3_999)


def test_costs_can_be_changed_and_levels_not(study):
    folder, store, _ = study
    cheap = json.loads(backtest(store, folder / "best", "--json").stdout)
    dear = json.loads(backtest(store, folder / "best", "--account.spread_bps", "20", "--json").stdout)
    assert float(dear["final_equity"]) < float(cheap["final_equity"])
    refused = backtest(store, folder / "best", "--account.levels", "-1 1", expect=3)
    assert "account.levels: expected the levels that the policy learned to choose among" in refused.stderr


def test_other_bars_are_run_and_said(study, tmp_path):
    folder, store, _ = study
    other = synth_store(tmp_path, bars=3_000, kind="sine", seed=9)
    assert "not the bars that the policy was selected on" in backtest(other, folder / "best").stderr
    assert backtest(store, folder / "best").stderr == ""


def test_bars_of_other_decimals_are_refused(study, tmp_path):
    folder, _, _ = study
    run("synth", "--kind", "sine", "--bars", 3_000, "--decimals", 2, "--out", tmp_path / "bars.csv")
    run("ingest", tmp_path / "bars.csv", "--out", tmp_path / "bars.h5")
    refused = backtest(tmp_path / "bars.h5", folder / "best", expect=3)
    assert "decimals" in refused.stderr and "as the policy learned on" in refused.stderr


def test_bars_of_other_features_are_refused(study, tmp_path):
    folder, store, _ = study
    whole = store.read_bytes()
    assert whole.count(b"rsi_14") >= 1
    (tmp_path / "bars.h5").write_bytes(whole.replace(b"rsi_14", b"rsi_41"))
    refused = backtest(tmp_path / "bars.h5", folder / "best", expect=3)
    assert "feature 36 as the policy learned on, 'rsi_14', found 'rsi_41'" in refused.stderr


def test_a_damaged_policy_is_refused(study, tmp_path):
    folder, store, _ = study
    shutil.copytree(folder / "best", tmp_path / "best")
    damaged = bytearray((tmp_path / "best/policy.bin").read_bytes())
    damaged[-5] ^= 1
    (tmp_path / "best/policy.bin").write_bytes(damaged)
    refused = backtest(store, tmp_path / "best", expect=3)
    assert "policy.bin" in refused.stderr and refused.stderr.count("To fix:") == 1
    assert "found" in backtest(store, tmp_path / "none", expect=3).stderr


@pytest.mark.parametrize("arguments, said", [
    (["--rule", "sma:2:5"], "expected one of --rule, --actions and --model, found several"),
    (["--job", "job.ini"], "expected one of --model and --job, found both"),
    (["--window", "tomorrow"], "expected --window as all, train, validation or test, found 'tomorrow'"),
])
def test_what_cannot_be_meant_together_is_a_usage_error(study, arguments, said):
    folder, store, _ = study
    assert said in backtest(store, folder / "best", *arguments, expect=2).stderr


def test_a_window_needs_a_job_that_places_it(study):
    _, store, _ = study
    assert "expected a job that places --window test" in run(
        "backtest", store, "--rule", "sma:2:5", "--window", "test", expect=2).stderr


def test_a_rules_numbers_come_again_by_its_job_and_window(study, tmp_path):
    _, store, _ = study
    job = tmp_path / "rule.ini"
    job.write_text("[study]\ntrials = 4\nmin_trades = 1\n[account]\nspread_bps = 1\n[rungs]\nbars = 500 1000\n"
                   "[space]\nagent.fast = int 2 20\nagent.slow = int 30 300\n")
    told = json.loads(run("sweep", job, "--data", store, "--out", tmp_path / "study", "--json").stdout)
    params = told["best"]["params"]
    again = json.loads(run("backtest", store, "--rule", f"sma:{params['agent.fast']}:{params['agent.slow']}",
                           "--job", job, "--window", "validation", "--json").stdout)
    assert defined(again["metrics"]) == defined(told["best"]["validation"])
    assert "are equal" in run("replay", tmp_path / "study", "--trial", told["best"]["trial"]).stdout


def test_a_replay_names_the_first_rung_and_metric_that_differ(study, tmp_path):
    folder, _, _ = study
    shutil.copytree(folder, tmp_path / "study")
    ledger = tmp_path / "study/ledger.jsonl"
    lines = ledger.read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if '"rung_0"' in line and '"trial_id":1' in line.replace(" ", ""))
    metrics = json.loads(lines[at])["user_attr"]["rung_0"]["metrics"]
    before = repr(metrics["turnover"])
    lines[at] = lines[at].replace(before, repr(metrics["turnover"] + 1))
    ledger.write_text("".join(lines))
    differs = run("replay", tmp_path / "study", "--trial", 1, "--json", expect=None)
    if differs.returncode == 3:                       # the ledger's own check found it first
        assert "ledger.jsonl" in differs.stderr
        return
    told = json.loads(differs.stdout)["difference"]
    assert differs.returncode == 1 and (told["rung"], told["field"]) == (0, "turnover")
    assert "are equal" in run("replay", tmp_path / "study", "--trial", 0).stdout


def test_replay_says_what_is_missing(study):
    folder, _, _ = study
    assert "expected a trial 7, found 3 of them" in run("replay", folder, "--trial", 7, expect=3).stderr
    assert "expected --trial N, found none" in run("replay", folder, expect=2).stderr


def test_replay_names_the_job_file_where_a_key_of_it_differs(study, tmp_path):
    folder, _, _ = study
    shutil.copytree(folder, tmp_path / "study")
    job = tmp_path / "study/job.ini"
    job.write_text(job.read_text().replace("gamma = 0.99", "gamma = 0.5"))
    refused = run("replay", tmp_path / "study", "--trial", 0, expect=3).stderr
    assert f'{job}: expected agent.gamma as in the ledger, "0.99", found "0.5". To fix: put back the job.ini' in refused
