"""Job files mutated at random: `check` and short sweeps are right runs or one sentence, quickly, whatever stands in them."""
import os
import random
import re
import resource
import subprocess

import pytest
from helpers import BARSWEEP, FULL, ROOT, synth_store

SENTENCE = re.compile(r"barsweep(\[\d+\])?: .+: expected .+, found .+\. To fix: .+\.", re.DOTALL)
JOBS = ["rules.ini", "sma_minute.ini", *(["demo.ini", "dqn_minute.ini"] if FULL else [])]  # to time learning takes seconds
SECTIONS = ["study", "search", "space", "rungs", "account", "data", "agent", "select", "output", "no such"]
SAMPLERS = ["random", "grid", "sobol", "tpe", "cmaes", "gp", "pbt"]
PRUNERS = ["none", "median", "percentile", "patient", "threshold", "halving", "asha", "hyperband"]
VALUES = ["", "0", "1", "-1", "2", "3.5", "1e308", "1e-320", "1e400", "nan", "inf", "-inf", "99999999999999999999", "9223372036854775807",
          "-9223372036854775808", "9007199254740993", "true", "none", "2h", "1ms", "0s", "maximize", "minimize", "sharpe", "\t", "é", "%s%n", "../..",
          "/dev/null", "/proc/self/mem", "1 2 3", "3 2 1", "1 1", "a=b", "[x]", "\"1\"", "'", "\\", "0x1p3", "1,000", "٣", "x" * 5000]
DISTRIBUTIONS = ["float", "log", "int", "intlog", "choice", "float 0 1", "float 1 1", "float 0 1 step 0.3", "float 0 1 step -1", "float 0 1 step 1e-300",
                 "float -1e308 1e308", "float nan 1", "log 1e-320 1e308", "log 0 1", "int 0 9", "int 9 0", "int -9007199254740992 9007199254740992",
                 "int 0 9007199254740992 step 3", "intlog 1 9007199254740992", "int 1 10 step 100", "choice a", "choice 1 2 3", "choice true false", "choice 5 5",
                 "choice " + " ".join(map(str, range(300))), "int 2 30 if agent.kind = rule", "int 2 30 if agent.fast = 1", "int 2 30 if", "float 0 1 if x = y",
                 "choice a b if account.barrier = exit off", "int 2 9 if search.sampler = tpe", "int 1 2 step 1 if agent.slow = 3 4 5"]


def mutate(text, generator):
    lines = text.split("\n")
    keys = [line.split("=")[0].strip() for line in lines if "=" in line and not line.startswith("#")]
    for _ in range(generator.choice([1, 1, 2, 4, 8])):
        at = generator.randrange(len(lines))
        key = generator.choice(keys)
        kind = generator.randrange(10)
        if kind == 0:
            lines[at] = f"{key} = {generator.choice(VALUES)}"
        elif kind == 1:
            lines.insert(at, f"[{generator.choice(SECTIONS)}]")
        elif kind == 2:
            lines += ["[search]", f"sampler = {generator.choice(SAMPLERS)}"]
        elif kind == 3:
            lines += ["[search]", f"pruner = {generator.choice(PRUNERS)}",
                      f"{generator.choice(['eta', 'warmup', 'startup', 'percentile', 'patience', 'enqueue', 'lower', 'upper'])} = {generator.choice(VALUES)}"]
        elif kind == 4:
            name = generator.choice(["agent.fast", "agent.slow", "account.hold", "account.target", "agent.gamma", "agent.kind", "study.seed", "rungs.bars", "x"])
            lines += ["[space]", f"{name} = {generator.choice(DISTRIBUTIONS)}"]
        elif kind == 5:
            name = generator.choice(["trials", "slots", "replicates", "schedule", "score", "seed", "timeout", "trial_timeout", "min_trades", "direction", "name"])
            lines += ["[study]", f"{name} = {generator.choice(VALUES)}"]
        elif kind == 6:
            del lines[at]
            lines = lines or [""]
        elif kind == 7 and lines[at]:
            place = generator.randrange(len(lines[at]))
            lines[at] = lines[at][:place] + chr(generator.choice([9, 10, 13, 34, 35, 39, 61, 91, 92, 127, 0xE9, 0x2028])) + lines[at][place + 1:]
        elif kind == 8 and "=" in lines[at]:
            lines[at] = lines[at].split("=")[0] + "= " + generator.choice(VALUES)
        else:
            other = generator.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def outcome(command, timeout=60):
    done = subprocess.run([BARSWEEP, *map(str, command)], capture_output=True, text=True, errors="replace", timeout=timeout, preexec_fn=limits,
                          env={**os.environ, "BARSWEEP_THREADS": "1"})
    said = [line for line in done.stderr.split("\n") if line.startswith("barsweep: ") and "To fix:" in line]
    assert done.returncode in (0, 2, 3, 4, 5), f"exit {done.returncode}: {done.stderr}"
    assert "internal error" not in done.stderr and "terminate called" not in done.stderr and "what()" not in done.stderr, done.stderr
    if done.returncode in (2, 3, 5):
        assert len(said) == 1 and SENTENCE.fullmatch(said[0]), f"exit {done.returncode}: {done.stderr}"
    return done


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return synth_store(tmp_path_factory.mktemp("bars"), bars=3_000)


@pytest.mark.parametrize("block", range(100 if FULL else 2))
def test_mutated_jobs_are_checked_in_one_sentence(store, tmp_path, block):
    for seed in range(block * 20, block * 20 + 20):
        generator = random.Random(seed)
        path = tmp_path / f"{seed}.ini"
        path.write_text(mutate((ROOT / "jobs" / generator.choice(JOBS)).read_text(), generator), newline="", errors="surrogatepass")
        try:
            outcome(["check", path, "--data", store])
        except (AssertionError, subprocess.TimeoutExpired) as error:
            raise AssertionError(f"seed {seed}:\n{path.read_text()}") from error


@pytest.mark.parametrize("block", range(100 if FULL else 2))
def test_mutated_jobs_are_swept_or_refused_in_one_sentence(store, tmp_path, block):
    for seed in range(block * 10, block * 10 + 10):
        generator = random.Random(seed + 1_000_000)
        text = (ROOT / "jobs" / "rules.ini").read_text()
        path, out = tmp_path / f"{seed}.ini", tmp_path / f"{seed}"
        path.write_text(mutate(text, generator), newline="")
        short = ["--study.trials", generator.choice([1, 6]), "--rungs.bars", generator.choice(["100 300", "50 100 400"]), "--study.timeout", "5s"]
        try:
            first = outcome(["sweep", path, "--data", store, "--out", out, *short])
            if first.returncode in (0, 4) and "timeout" not in path.read_text():
                again = outcome(["sweep", path, "--data", store, "--out", out, *short])
                assert again.returncode == first.returncode
        except (AssertionError, subprocess.TimeoutExpired) as error:
            raise AssertionError(f"seed {seed}:\n{path.read_text()}") from error
