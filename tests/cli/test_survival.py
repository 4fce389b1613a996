"""A sweep that is killed at any moment goes on with the same command, to the same ledger and winner."""
import json
import random
import shutil
import signal
import subprocess
import time

import pytest
from helpers import BARSWEEP, FULL, kill, ledger, run, synth_store

JOB = """\
[study]
name = survival
seed = 11
trials = 800
slots = 8
min_trades = 3

[account]
spread_bps = 1
barrier = exit

[agent]
kind = rule

[rungs]
bars = 20000 60000 100000

[search]
sampler = random
pruner = none

[space]
agent.fast = int 2 40
agent.slow = int 41 200
account.hold = int 10 240 step 10
account.target = float 1 5
"""
MOMENTS = 50 if FULL else 5


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("survival")
    store, job = synth_store(folder, bars=200_000), folder / "job.ini"
    job.write_text(JOB)
    begun = time.monotonic()
    done = run("sweep", job, "--data", store, "--out", folder / "undisturbed", "--json", ranks=2)
    return folder, job, store, json.loads(done.stdout), time.monotonic() - begun


def start(job, store, out, ranks):
    command = ["mpirun", "--oversubscribe", "-n", str(ranks), BARSWEEP, "sweep", job, "--data", store, "--out", out]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_killed_at_any_moment_it_goes_on_to_the_same_ledger(study, moment):
    folder, job, store, told, seconds = study
    generator = random.Random(moment)
    out = folder / f"killed-{moment}"
    kills = 0
    while kills < 3:                       # the same study is killed up to three times
        process = start(job, store, out, ranks=2)
        time.sleep(generator.uniform(0.1, max(0.3, seconds)))
        if process.poll() is not None:
            break
        kill(process, generator.choice(["all", "one"]), generator)
        kills += 1
    process.wait(timeout=60)

    done = run("sweep", job, "--data", store, "--out", out, "--json", ranks=2)
    assert ledger(out) == ledger(folder / "undisturbed")
    assert json.loads(done.stdout)["best"] == told["best"]
    finals = [r["trial_id"] for r in ledger(out) if r["op_code"] == 6]
    assert len(finals) == len(set(finals)) == 800
    shutil.rmtree(out)


def test_a_second_start_on_a_running_study_is_refused_with_host_and_pid(study):
    folder, job, store, _, _ = study
    out = folder / "busy"
    process = start(job, store, out, ranks=2)
    while not (out / "ledger.jsonl").exists():
        time.sleep(0.01)
    done = run("sweep", job, "--data", store, "--out", out, expect=3)
    assert "host" in done.stderr and "pid" in done.stderr and "To fix:" in done.stderr
    kill(process, "all", random.Random(0))


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGUSR2])
def test_a_stop_signal_ends_with_75_and_the_same_command_goes_on(study, sign):
    folder, job, store, told, _ = study
    out = folder / f"stopped-{sign.name}"
    process = subprocess.Popen([BARSWEEP, "sweep", job, "--data", store, "--out", out],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (out / "ledger.jsonl").exists():
        time.sleep(0.01)
    process.send_signal(sign)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 75, said
    assert (out / "exit_code").read_text() == "75\n"
    again = json.loads(run("sweep", job, "--data", store, "--out", out, "--json").stdout)
    assert again["best"] == told["best"]


def test_a_full_disk_is_one_sentence_and_nothing_is_lost(study):
    folder, job, store, told, _ = study
    out = folder / "full"
    limited = subprocess.run(["bash", "-c", 'ulimit -f 40; exec "$@"', "-", BARSWEEP, "sweep", job, "--data", store, "--out", out],
                             capture_output=True, text=True)
    assert limited.returncode in (3, 5)
    sentences = [line for line in limited.stderr.splitlines() if "To fix:" in line]
    assert len(sentences) == 1 and "ledger.jsonl" in sentences[0]
    done = run("sweep", job, "--data", store, "--out", out, "--json")
    assert json.loads(done.stdout)["best"] == told["best"]
    assert ledger(out) == ledger(folder / "undisturbed")


def test_a_torn_tail_is_kept_aside_and_a_bad_middle_line_is_named(study):
    folder, job, store, told, _ = study
    out = folder / "torn"
    shutil.copytree(folder / "undisturbed", out)
    whole = (out / "ledger.jsonl").read_bytes()
    (out / "ledger.jsonl").write_bytes(whole[: len(whole) * 2 // 3])
    run("sweep", job, "--data", store, "--out", out)
    assert ledger(out) == ledger(folder / "undisturbed")
    assert list(out.glob("ledger.torn.*"))

    lines = whole.split(b"\n")
    lines[130] = lines[130][:20] + b"\0" * 10
    bad = b"\n".join(lines)
    (out / "ledger.jsonl").write_bytes(bad)
    done = run("sweep", job, "--data", store, "--out", out, expect=3)
    assert "ledger.jsonl:131" in done.stderr or "line 131" in done.stderr
    assert (out / "ledger.jsonl").read_bytes() == bad


def test_a_read_only_folder_is_one_sentence(study):
    _, job, store, _, _ = study
    done = run("sweep", job, "--data", store, "--out", "/proc/barsweep-study", expect=3)
    assert done.stderr.count("To fix:") == 1
