"""Jobs and the program itself from outside: exit status and the exact sentence, nothing started."""
import json
import subprocess

import pytest
from helpers import BARSWEEP, ROOT, run, shared, synth_store

JOB = """\
[study]
trials = 30
[account]
spread_bps = 1
[rungs]
bars = 500 2000 3000
[space]
agent.fast = int 2 40
agent.slow = int 41 300
account.hold = int 10 120 step 10
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return synth_store(tmp_path_factory.mktemp("bars"), bars=6_225)


@pytest.fixture
def job(tmp_path):
    def write(text=JOB):
        path = tmp_path / "job.ini"
        path.write_text(text)
        return path

    return write


def sentence(done):
    return done.stderr.strip()


# The program


def test_help_names_every_command_and_goes_to_stdout():
    told = run("--help").stdout
    for command in ["ingest", "info", "synth", "check", "sweep", "backtest", "report", "account"]:
        assert f"\n  {command} " in told


def test_no_command_shows_the_same_help_on_stderr_as_a_usage_error():
    assert run(expect=2).stderr == run("--help").stdout


def test_version():
    assert run("--version").stdout.startswith("barsweep 0.")


def test_an_unknown_command_names_the_nearest():
    assert sentence(run("swep", expect=2)) == (
        "barsweep: command line: expected a command of `barsweep --help`, found 'swep'. "
        "To fix: write `sweep`, the nearest there is.")


def test_a_full_disk_behind_stdout_is_no_success():
    with open("/dev/full", "w") as full:
        done = subprocess.run([BARSWEEP, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 5
    assert sentence(done).startswith("barsweep: standard output: expected room for the result")


# The command line of a job


def test_an_unknown_option_names_the_nearest(job):
    assert sentence(run("check", job(), "--study.trails", "4", expect=2)) == (
        "barsweep: command line: expected a known option, found '--study.trails'. "
        "To fix: write --study.trials, the nearest there is.")


def test_an_option_is_never_guessed_from_its_beginning(job):
    assert sentence(run("check", job(), "--study.tri", "4", expect=2)).startswith(
        "barsweep: command line: expected a known option, found '--study.tri'.")


def test_an_option_without_its_value_is_a_usage_error(job):
    done = run("check", job(), "--study.trials", expect=2)
    assert sentence(done).startswith("barsweep: command line: ") and "study.trials" in done.stderr


def test_no_job_and_two_jobs_are_usage_errors(job):
    assert sentence(run("check", expect=2)) == (
        "barsweep: command line: expected one job file, found none. "
        "To fix: see `barsweep sweep --help`; put a value of several words in quotes.")
    assert "found 'b.ini' after 'a.ini'" in sentence(run("check", "a.ini", "b.ini", expect=2))


def test_a_short_form_beside_its_key_is_refused(job):
    assert sentence(run("check", job(), "--out", "a", "--output.dir", "b", expect=2)).startswith(
        "barsweep: command line: expected output.dir once, found ")


def test_help_shows_keys_with_defaults_and_units():
    told = run("sweep", "--help").stdout
    assert "--study.slots VALUE" in told and "[8]" in told
    assert "--account.hold VALUE" in told and "[60]" in told
    assert told == run("sweep", "nothing.ini", "--help").stdout


# The job file


def test_a_misspelt_key_names_file_line_and_the_nearest(job, store):
    path = job(JOB.replace("trials", "trails"))
    assert sentence(run("check", path, "--data", store, expect=3)) == (
        f"barsweep: {path}:2: expected a known key, found 'study.trails'. "
        "To fix: write study.trials, the nearest there is.")


def test_a_job_that_is_not_there(tmp_path):
    assert sentence(run("check", tmp_path / "none.ini", expect=3)) == (
        f"barsweep: {tmp_path}/none.ini: expected a job file that can be read, found no such file. "
        "To fix: name a job file, for example jobs/demo.ini.")


def test_a_job_without_a_store(job):
    path = job()
    assert sentence(run("check", path, expect=3)) == (
        f"barsweep: {path}: expected data.store or --data to name a bar store, found neither. "
        "To fix: give --data STORE.h5, made by `barsweep ingest`.")


@pytest.mark.parametrize("old,new,line,told", [
    ("trials = 30", "trials = 0", 2,
     "study.trials as a whole number from 1 to 10000000, found '0'. To fix: write for example study.trials = 100."),
    ("spread_bps = 1", "hold = 1 hour", 4,
     "account.hold as a whole number from 1 to 1000000000, found '1 hour'. To fix: write for example account.hold = 60."),
    ("int 10 120 step 10", "int 0 120 step 10", 10,
     "account.hold as a whole number from 1 to 1000000000, found '0'. To fix: write for example account.hold = 60."),
])
def test_a_wrong_value_names_line_key_range_and_an_example(job, store, old, new, line, told):
    path = job(JOB.replace(old, new))
    assert sentence(run("check", path, "--data", store, expect=3)) == f"barsweep: {path}:{line}: expected {told}"


def test_the_command_line_wins_over_the_file_and_is_named_where_it_is_wrong(job, store):
    assert sentence(run("check", job(), "--data", store, "--study.trials", "x", expect=3)).startswith(
        "barsweep: command line: expected study.trials as a whole number")


def test_windows_that_cannot_be_are_refused(job, store):
    done = run("check", job(), "--data", store, "--data.train", "0.9", expect=3)
    assert sentence(done) == (
        "barsweep: [data] validation: expected shares that make at most 1 together, found '0.2'. "
        "To fix: lower one of the shares.")


def test_a_sweep_refuses_the_same_job_and_leaves_no_folder(job, store, tmp_path):
    path = job(JOB.replace("trials", "trails"))
    out = tmp_path / "study"
    refused = run("sweep", path, "--data", store, "--out", out, expect=3)
    assert sentence(refused) == sentence(run("check", path, "--data", store, expect=3))
    assert not out.exists()


# check


def test_check_tells_each_key_and_where_it_came_from(job, store):
    told = json.loads(run("check", job(), "--data", store, "--study.seed", "9", "--json").stdout)
    keys = told["job"]
    assert keys["study.trials"] == {"value": "30", "from": "file", "line": 2}
    assert keys["study.seed"] == {"value": "9", "from": "command line"}
    assert keys["study.slots"] == {"value": "8", "from": "default"}
    assert keys["space.agent.fast"]["value"] == "int 2 40"


def test_check_tells_windows_grid_and_work(job, store):
    told = json.loads(run("check", job(), "--data", store, "--json").stdout)
    windows = told["windows"]
    assert told["bars"] == 6225 and told["warmup"] == 299 and told["purge"] == 120
    assert windows["train"]["first"] == 299
    assert windows["train"]["last"] < windows["validation"]["first"] <= windows["validation"]["last"]
    assert windows["validation"]["last"] < windows["test"]["first"] and windows["test"]["last"] == 6224
    assert told["grid_points"] == 39 * 260 * 12
    assert told["bars_at_most"] == 30 * (500 + 2000 + windows["validation"]["decisions"])
    assert told["seconds_at_most"] > 0 and told["memory_bytes"] > 6225 * 100


def test_check_tells_people_the_same_in_lines(job, store):
    told = run("check", job(), "--data", store).stdout
    assert "\nstudy.trials " in told and "file, line 2" in told
    assert "\ntrain " in told and "\ntest " in told
    assert "\ngrid    121680 points\n" in told


def test_check_starts_nothing(job, store, tmp_path):
    run("check", job(), "--data", store, "--out", tmp_path / "study")
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize("file", ["demo.ini", "rules.ini"])
def test_a_job_for_hours_suits_a_year_of_them(store, file):
    run("check", ROOT / "jobs" / file, "--data", store)


def test_the_minute_jobs_suit_a_year_of_minutes(tmp_path):
    bars = shared("bars/bitfinex_zombie3000/BTCUSD/Candles_1m/2015")
    store = tmp_path / "btc.h5"
    run("ingest", next(bars.iterdir()), "--out", store, "--symbol", "BTCUSD")
    for file in ("sma_minute.ini", "dqn_minute.ini"):
        told = json.loads(run("check", ROOT / "jobs" / file, "--data", store, "--json").stdout)
        assert told["bars"] == 366_710


# report


def test_report_reads_a_study_and_writes_its_trials(job, store, tmp_path):
    out, csv = tmp_path / "study", tmp_path / "trials.csv"
    swept = json.loads(run("sweep", job(), "--data", store, "--out", out, "--json").stdout)
    told = json.loads(run("report", out, "--csv", csv, "--json").stdout)
    assert told == swept
    rows = csv.read_text().splitlines()
    assert rows[0].startswith("trial,state,value,bars,seconds,account.hold,agent.fast,agent.slow,metric.")
    assert len(rows) == 31
    assert "verdict: " in run("report", out, "--top", "3").stdout


def test_report_shows_a_study_that_is_not_finished(job, store, tmp_path):
    out = tmp_path / "study"
    run("sweep", job(), "--data", store, "--out", out)
    (out / "summary.json").unlink()
    told = json.loads(run("report", out, "--json").stdout)
    assert told["best"] is None and told["verdict"].startswith("not finished")
    assert sum(told["trials"].values()) == 30


def test_report_of_a_folder_that_is_no_study(tmp_path):
    assert sentence(run("report", tmp_path / "none", expect=3)) == (
        f"barsweep: {tmp_path}/none: expected the folder of a study, with its ledger.jsonl, found no such folder. "
        "To fix: name the folder that `barsweep sweep --out` wrote.")
    assert "found none in it" in sentence(run("report", tmp_path, expect=3))


def test_report_that_cannot_be_written_leaves_nothing(job, store, tmp_path):
    out = tmp_path / "study"
    run("sweep", job(), "--data", store, "--out", out)
    done = run("report", out, "--csv", tmp_path / "none" / "trials.csv", expect=3)
    assert sentence(done) == (
        f"barsweep: {tmp_path}/none/trials.csv: expected a file that can be written, "
        "found No such file or directory. To fix: choose another place.")
