"""Hostile and clumsy use: every outcome is a right run, or one sentence and a folder as it was."""
import json
import random
import re
import shutil
import signal
import subprocess
import time

import pytest
from helpers import BARSWEEP, FULL, ROOT, ledger, run, synth_store

JOB = """\
[study]
name = attack
trials = 12
slots = 4
min_trades = 3
[account]
barrier = exit
spread_bps = 1
[rungs]
bars = 300 1000
[search]
pruner = halving
[space]
agent.fast = int 2 20
agent.slow = int 21 100
account.hold = int 10 100 step 10
"""
SENTENCE = re.compile(r"barsweep: .+: expected .+, found .+\. To fix: .+\.")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return synth_store(tmp_path_factory.mktemp("bars"), bars=6_225)


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    path = tmp_path_factory.mktemp("job") / "attack.ini"
    path.write_text(JOB)
    return path


@pytest.fixture(scope="module")
def whole(store, job, tmp_path_factory):
    """The undisturbed study: its folder and what it told."""
    out = tmp_path_factory.mktemp("whole") / "study"
    return out, json.loads(run("sweep", job, "--data", store, "--out", out, "--json").stdout)


def strict_json(text):
    """Standard JSON alone: neither NaN nor Infinity."""
    def refuse(token):
        raise ValueError(f"{token} in JSON")

    return json.loads(text, parse_constant=refuse)


def untimed(told):
    return {key: value for key, value in told.items() if key not in {"seconds", "steps", "steps_per_second", "busy"}}


def hold_to_contract(job, store, out):
    """Runs the job: a right run that a second start and `report` repeat, or one sentence and no folder."""
    command = ("sweep", job, "--data", store, "--out", out, "--json")
    done = run(*command, expect=None, timeout=60)
    if done.returncode == 3:
        assert SENTENCE.fullmatch(done.stderr.strip()), done.stderr
        assert done.stdout == "" and not out.exists()
        return
    assert done.returncode in (0, 4), done.stderr
    told = strict_json(done.stdout)
    assert (told["best"] is not None) == (told["trials"]["complete"] > 0) == (done.returncode == 0)
    if "timeout" not in job.read_text(errors="replace"):
        assert untimed(strict_json(run(*command, expect=done.returncode).stdout)) == untimed(told)
        assert untimed(strict_json(run("report", out, "--json").stdout)) == untimed(told)


# Job files

HOSTILE = ["", "0", "-1", "1e308", "1e400", "nan", "-inf", "99999999999999999999", "-9223372036854775808", "abc", "日本",
           "1 2 3", "2010-01-01..2010-02-01", "2020-01-03..2020-01-01", "..", "1 # x", "=", "[x]", "\0", "0x10", "1_000",
           "int 1 5", "float 1 0", "float 1e308 -1e308", "choice", "choice a a", "int 1 5 step 0", "intlog 0 1", "1ms"]


def mutate(text, generator):
    lines = text.split("\n")
    for _ in range(generator.choice([1, 1, 2, 3])):
        at = generator.randrange(len(lines))
        if "=" in lines[at]:
            key = lines[at].split("=")[0]
            lines[at] = generator.choice([f"{key}= {generator.choice(HOSTILE)}", key, lines[at] + "\r",
                                          lines[at] + "\n" + lines[at]])
        elif generator.random() < 0.3:
            del lines[at]
        else:
            place = generator.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:place] + generator.choice(["\0", "#", "=", "]", "\ufeff"]) + lines[at][place:]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(400 if FULL else 40))
def test_a_mutilated_job_is_a_right_run_or_one_sentence(store, tmp_path, seed):
    text = (ROOT / "jobs" / ("rules.ini" if seed % 2 else "sma_minute.ini")).read_text()
    text = text.replace("10000 40000 160000 220000", "200 800 1500").replace("intlog 100 4000", "intlog 100 400")
    path = tmp_path / "job.ini"
    path.write_text(mutate(text, random.Random(seed)), newline="")
    hold_to_contract(path, store, tmp_path / "study")


EXTREMES = {
    "study.slots": ["1", "64"], "study.direction": ["maximize", "minimize"], "study.min_trades": ["0", "1000000"],
    "study.score": ["sharpe", "calmar", "profit_factor", "win_rate", "max_drawdown"], "study.timeout": ["1ms", "none"],
    "data.train": ["0.6", "0.05"], "data.purge": ["0", "500"], "data.embargo": ["500"], "data.ppy": ["1e-300", "1e308"],
    "account.initial": ["0.01", "1000000000"], "account.levels": ["0 1", "-100 0 100", "1 2"], "account.fee_bps": ["9999"],
    "account.spread_bps": ["0", "20000"], "account.lot_decimals": ["0", "18"], "account.fill": ["close"],
    "account.barrier": ["off", "label", "exit"], "account.target": ["0.001", "1000000"], "account.ruin": ["0", "0.99"],
    "agent.slow": ["2", "1000"], "rungs.bars": ["1", "1 2 3", "100 1000", "3000"], "search.sampler": ["grid", "sobol", "tpe", "cmaes", "gp"],
    "search.pruner": ["median", "halving", "percentile", "threshold", "hyperband", "asha", "patient", "patient:median"], "search.eta": ["2", "100"], "search.startup": ["1"], "search.warmup": ["1000000"],
    "search.percentile": ["0", "100"], "search.lower": ["0.1"], "search.upper": ["none"], "search.patience": ["0", "3"], "study.schedule": ["eager"],
}


@pytest.mark.parametrize("seed", range(400 if FULL else 30))
def test_a_job_at_the_ends_of_its_ranges_is_a_right_run_or_one_sentence(store, tmp_path, seed):
    generator = random.Random(seed)
    keys = {"study.trials": generator.choice(["1", "7"]), "rungs.bars": "100 1000"}
    keys |= {key: generator.choice(values) for key, values in EXTREMES.items() if generator.random() < 0.15}
    lines = ["[{}]\n{} = {}\n".format(*key.split("."), value) for key, value in keys.items()]
    path = tmp_path / "job.ini"
    path.write_text("".join(lines) + generator.choice(["", "[space]\nagent.fast = int 1 1\n", "[space]\nagent.fast = int 1 30\n"]))
    hold_to_contract(path, store, tmp_path / "study")


@pytest.mark.parametrize("value", [b"a\0b", b"\xff", b"a\x1bb"])
def test_text_that_no_editor_shows_is_refused_by_line(store, tmp_path, value):
    path = tmp_path / "job.ini"
    path.write_bytes(b"[study]\nname = " + value + b"\n")
    assert run("sweep", path, "--data", store, "--out", tmp_path / "study", expect=3).stderr == (
        f"barsweep: {path}:2: expected text in UTF-8 without control characters, found other bytes. "
        "To fix: write it again in a text editor.\n")


def test_a_job_of_another_system_reads_the_same(store, job, tmp_path):
    path = tmp_path / "attack.ini"
    path.write_bytes(b"\xef\xbb\xbf" + JOB.rstrip("\n").replace("\n", "\r\n").encode())
    keys = lambda file: {k: v["value"] for k, v in json.loads(run("check", file, "--data", store, "--json").stdout)["job"].items()}
    assert keys(path) == keys(job)


def test_a_value_of_two_lines_stays_in_one_sentence(store, job, tmp_path):
    for value in ["a\nb", b"\xff"]:
        done = subprocess.run([BARSWEEP, "check", job, "--data", store, "--study.name", value], capture_output=True, text=True)
        assert done.returncode == 3 and SENTENCE.fullmatch(done.stderr.rstrip("\n"))
    assert SENTENCE.fullmatch(run("report", tmp_path / "a\nb", expect=3).stderr.rstrip("\n"))


def test_a_score_that_is_best_when_small_needs_its_direction_said(store, job):
    assert run("check", job, "--data", store, "--study.score", "max_drawdown", expect=3).stderr == (
        "barsweep: command line: expected study.direction beside study.score = max_drawdown, found none, which means "
        "maximize. To fix: write study.direction = minimize.\n")
    run("check", job, "--data", store, "--study.score", "max_drawdown", "--study.direction", "minimize")


@pytest.mark.parametrize("command", ["sweep", "check", "report"])
def test_an_empty_word_is_no_job_and_no_folder(command):
    assert "found none. To fix: " in run(command, "", expect=2).stderr


def test_report_of_fewer_than_no_trials_is_a_usage_error(whole):
    assert run("report", whole[0], "--top", "-1", expect=2).stderr == (
        "barsweep: command line: expected --top as 0 or more trials, found -1. To fix: write for example --top 10.\n")


def test_report_without_summary_and_job_says_what_writes_them(whole, tmp_path):
    shutil.copy(whole[0] / "ledger.jsonl", tmp_path)
    assert run("report", tmp_path, expect=3).stderr == (
        f"barsweep: {tmp_path}: expected job.ini beside ledger.jsonl, found none. "
        "To fix: run `barsweep sweep` on this folder again: it writes both.\n")


# Stores

@pytest.mark.parametrize("bars,price", [(1, "100"), (2, "100"), (240, "100"), (241, "100"), (3000, "100"), (3000, "0.00000001")])
def test_few_bars_and_a_market_that_stands_still(job, tmp_path, bars, price):
    csv, small = tmp_path / "bars.csv", tmp_path / "with a space.h5"
    rows = [f"{1_577_836_800 + 60 * row},{price},{price},{price},{price},0" for row in range(bars)]
    csv.write_text("\n".join(["time,open,high,low,close,volume", *rows, ""]))
    run("ingest", csv, "--out", small, "--symbol", "STILL")
    assert strict_json(run("info", small, "--json").stdout)["bars"] == bars
    assert strict_json(run("backtest", small, "--rule", "sma:2:5", "--json").stdout)["final_equity"] == "10000"
    hold_to_contract(job, small, tmp_path / "study")


def test_a_store_that_was_replaced_is_refused_by_its_checksum_and_a_lost_one_by_its_name(store, job, whole, tmp_path):
    mine, out = tmp_path / "mine.h5", tmp_path / "study"
    shutil.copytree(whole[0], out)
    before = {file.name: file.read_bytes() for file in out.iterdir() if file.name != "exit_code"}
    (tmp_path / "o").mkdir()
    shutil.copy(synth_store(tmp_path / "o", bars=6_225, seed=8), mine)
    done = run("sweep", job, "--data", mine, "--out", out, expect=3)
    assert done.stderr.startswith("barsweep: data.canonical_sha256: expected ") and SENTENCE.fullmatch(done.stderr.strip())
    mine.unlink()
    assert run("sweep", job, "--data", mine, "--out", out, expect=3).stderr.startswith(f"barsweep: {mine}: expected a bar store, found no file.")
    assert before == {file.name: file.read_bytes() for file in out.iterdir() if file.name != "exit_code"}
    mine.symlink_to(store)
    assert json.loads(run("sweep", job, "--data", mine, "--out", out, "--json").stdout)["best"] == whole[1]["best"]


# Ranks

def run_ranks(tmp_path, script, ranks=2):
    """Under mpirun, each rank by the lines of `script`, which end in the arguments of barsweep."""
    wrapper = tmp_path / "rank.sh"
    wrapper.write_text(f"#!/bin/bash\n{script}")
    wrapper.chmod(0o755)
    return subprocess.run(["mpirun", "--oversubscribe", "-n", str(ranks), wrapper], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("difference,key", [("--data {other}", "data.canonical_sha256"), ("--data {store} --account.fee_bps 50", "account.fee_bps")])
def test_a_rank_with_other_bars_or_another_job_answers_nothing(store, job, whole, tmp_path, difference, key):
    (tmp_path / "o").mkdir()
    other = synth_store(tmp_path / "o", bars=6_225, seed=8)
    out = tmp_path / "study"
    difference = difference.format(store=store, other=other)
    done = run_ranks(tmp_path, f'data="--data {store}"\n[ $OMPI_COMM_WORLD_RANK = 1 ] && data="{difference}"\n'
                               f"exec {BARSWEEP} sweep {job} --out {out} $data")
    assert f"barsweep[1]: {key}: expected " in done.stderr  # rank 0 tells it too, unless it is done before it hears of it
    assert ledger(out) == ledger(whole[0])
    assert (out / "exit_code").read_text() == "0\n"


def test_ranks_of_unlike_threads_make_the_same_ledger(store, job, whole, tmp_path):
    done = run_ranks(tmp_path, f"BARSWEEP_THREADS=$((3 - OMPI_COMM_WORLD_RANK)) exec {BARSWEEP} sweep {job} --data {store} --out {tmp_path}/study", 3)
    assert done.returncode == 0, done.stderr
    assert ledger(tmp_path / "study") == ledger(whole[0])


def test_a_wrong_number_of_threads_is_told_once_and_leaves_no_folder(store, job, tmp_path):
    done = run("sweep", job, "--data", store, "--out", tmp_path / "study", ranks=3, env={"BARSWEEP_THREADS": "0"}, expect=3)
    assert done.stderr.count("BARSWEEP_THREADS: expected ") == 1
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize("closed,status", [("<&- 2>&-", 0), ("2>&-", 0), (">&-", 5), ("<&- >&- 2>&-", 5)])
def test_closed_standard_streams_put_no_line_into_the_studys_files(store, job, whole, tmp_path, closed, status):
    out = tmp_path / "study"                           # more threads than slots: there is something to say
    command = f"BARSWEEP_THREADS=9 exec {BARSWEEP} sweep {job} --data {store} --out {out} {closed}"
    assert subprocess.run(["bash", "-c", command], capture_output=True, timeout=60).returncode == status
    assert ledger(out) == ledger(whole[0])
    assert not (out / "lock").exists()


# Resume

@pytest.mark.parametrize("seed", range(50 if FULL else 5))
def test_cut_anywhere_on_other_ranks_and_without_the_files_beside_it(store, job, whole, tmp_path, seed):
    generator = random.Random(seed)
    out = tmp_path / "study"
    shutil.copytree(whole[0], out)
    text = (out / "ledger.jsonl").read_bytes()
    text = text[: text.index(b'"test_opened:')]        # an interrupted look is noted as one more, see below
    (out / "ledger.jsonl").write_bytes(text[: generator.randrange(len(text))])
    for name in ["summary.json", "job.ini", "exit_code"]:
        if generator.random() < 0.5:
            (out / name).unlink()
    told = json.loads(run("sweep", job, "--data", store, "--out", out, "--json", ranks=generator.choice([None, 2, 3])).stdout)
    assert ledger(out) == ledger(whole[0])
    assert told["best"] == whole[1]["best"]


def test_killed_while_the_test_window_is_open_it_takes_up_the_same_look(store, job, whole, tmp_path):
    shutil.copytree(whole[0], tmp_path / "study")
    file = tmp_path / "study" / "ledger.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    assert b'"test_opened:' in lines[-2] and b'"test:' in lines[-1]
    file.write_bytes(b"".join(lines[:-1]))
    told = json.loads(run("sweep", job, "--data", store, "--out", file.parent, "--json").stdout)
    assert told["best"] == whole[1]["best"]
    assert file.read_bytes().startswith(b"".join(lines[:-1]))
    assert file.read_text().count('"test_opened:') == 1


def test_trials_grow_twice_and_never_shrink_and_each_new_winner_is_a_look(store, job, tmp_path):
    out = tmp_path / "study"
    looks = set()
    for trials in [2, 9, 40]:
        told = json.loads(run("sweep", job, "--data", store, "--out", out, "--study.trials", trials, "--search.pruner", "none", "--json").stdout)
        looks.add(told["best"]["trial"])
        counted = f"The test window was opened for {len(looks)} winners of this study in turn"
        assert (counted in told["verdict"]) == (len(looks) > 1)
    assert len(looks) > 1, "choose another seed: this test needs a second winner"
    assert (out / "ledger.jsonl").read_text().count('"test_opened:') == len(looks)

    before = (out / "job.ini").read_bytes(), (out / "ledger.jsonl").read_bytes()
    assert run("sweep", job, "--data", store, "--out", out, "--study.trials", "39", "--search.pruner", "none", expect=3).stderr == (
        "barsweep: study.trials: expected at least the 40 trials of this study, found 39. To fix: raise it, or give another --out.\n")
    assert before == ((out / "job.ini").read_bytes(), (out / "ledger.jsonl").read_bytes())


def test_a_study_that_its_time_ended_says_so(store, job, tmp_path):
    command = ("sweep", job, "--data", store, "--out", tmp_path / "study", "--json")
    told = json.loads(run(*command, "--study.timeout", "1ms", expect=None).stdout)
    assert re.match(r"Not finished: study\.timeout ended it after \d+ of 12 trials; the same command goes on\. ", told["verdict"])
    assert not json.loads(run(*command).stdout)["verdict"].startswith("Not finished")


def test_what_an_earlier_start_said_is_gone_while_the_study_goes_on(store, job, tmp_path):
    out = tmp_path / "study"
    run("sweep", job, "--data", store, "--out", out)
    assert (out / "exit_code").read_text() == "0\n"
    process = subprocess.Popen([BARSWEEP, "sweep", job, "--data", store, "--out", out, "--study.trials", "1000000"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while (out / "summary.json").exists() and process.poll() is None:
        time.sleep(0.01)
    running = json.loads(run("report", out, "--json").stdout)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    assert running["verdict"].startswith("not finished") and running["best"] is None
    assert not (out / "exit_code").exists() and not (out / "summary.json").exists()


def test_a_market_that_leaves_int64_only_on_the_test_window_is_told_in_the_verdict(tmp_path):
    """Prices double again and again, until a fixed size is no longer worth an int64."""
    csv, store, job = tmp_path / "bars.csv", tmp_path / "bars.h5", tmp_path / "job.ini"
    rows = [f"{1_577_836_800 + 60 * row},{p},{3 * p},{p},{2 * p},1" for row in range(1600) for p in [2 ** (row // 80)]]
    csv.write_text("\n".join(["time,open,high,low,close,volume", *rows, ""]))
    run("ingest", csv, "--out", store, "--symbol", "X", "--max-jump", "10")
    job.write_text("[study]\ntrials = 2\nmin_trades = 0\n[account]\nunit = 1000000\nlot_decimals = 8\nhold = 1\nspread_bps = 0\n"
                   "[data]\ntrain = 0.1\nvalidation = 0.2\ntest = 0.7\n[rungs]\nbars = 50 100\n")
    command = ("sweep", job, "--data", store, "--out", tmp_path / "study", "--json")
    told = strict_json(run(*command).stdout)
    assert told["verdict"].startswith("Nothing here: the winner can't be run on the test window: overflow at bar ")
    assert told["best"]["test"]["total_return"] is None
    assert untimed(strict_json(run(*command).stdout)) == untimed(told)
    assert untimed(strict_json(run("report", tmp_path / "study", "--json").stdout)) == untimed(told)
    run("sweep", *command[1:-1])
