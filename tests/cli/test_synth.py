"""`barsweep synth` from outside: the same bytes on every run, and bars that import."""
import json
import os
import subprocess

import pytest

BARSWEEP = os.environ["BARSWEEP"]


def run(*arguments):
    return subprocess.run([BARSWEEP, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("kind", ["walk", "trend", "sine", "ou"])
def test_the_same_options_give_the_same_bytes(tmp_path, kind):
    files = [tmp_path / "one.csv", tmp_path / "two.csv", tmp_path / "three.csv"]
    for file, seed in zip(files, (7, 7, 8)):
        made = run("synth", "--kind", kind, "--bars", 1000, "--seed", seed, "--out", file)
        assert (made.returncode, made.stderr) == (0, "")
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes() != files[2].read_bytes()
    assert len(files[0].read_text().splitlines()) == 1001


def test_what_it_makes_imports_to_the_same_bars(tmp_path):
    made = json.loads(run("synth", "--bars", 500, "--out", tmp_path / "s.csv", "--json").stdout)
    taken = json.loads(run("ingest", tmp_path / "s.csv", "--out", tmp_path / "s.h5", "--json").stdout)
    assert taken["bars"] == made["bars"] == 500
    assert taken["canonical_sha256"] == made["canonical_sha256"]
    assert taken["findings"] == {}
    assert taken["interval_ns"] == 60_000_000_000


@pytest.mark.parametrize("arguments, said", [
    (["--kind", "noise"], "--kind: expected walk, trend, sine or ou, found 'noise'"),
    (["--bars", "0"], "--bars: expected 1 to 100,000,000, found 0"),
    (["--decimals", "10"], "--decimals: expected 0 to 9, found 10"),
    (["--start", "-1"], "--start: expected a price above 0"),
    (["--period", "0"], "--period: expected 1 bar or more, found 0"),
    (["--volatility", "nan"], "--volatility: expected 0 to 1, found nan"),
    (["--bars", "many"], "many"),
    (["--sed", "3"], "found '--sed'. To fix: write --seed, the nearest there is."),
    (["bars.csv"], "expected options alone, found 'bars.csv'"),
])
def test_a_wrong_option_is_usage(tmp_path, arguments, said):
    refused = run("synth", *arguments, "--out", tmp_path / "s.csv")
    assert refused.returncode == 2
    assert said in refused.stderr
    assert not list(tmp_path.iterdir())


def test_help_says_what_each_kind_is():
    said = run("synth", "--help").stdout
    for word in ("walk:", "trend:", "sine:", "ou:", "(=0.001)", "in bars"):
        assert word in said
