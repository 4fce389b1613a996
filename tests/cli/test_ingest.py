"""`barsweep ingest` and `info` from outside: exit status, the exact sentence, the JSON keys."""
import json
import os
import pathlib
import resource
import subprocess

import pytest

BARSWEEP = os.environ["BARSWEEP"]
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("BARSWEEP_SHARED", REPOSITORY.parent / "shared"))

GOOD = """time,open,high,low,close,volume
2024-01-02 10:00:00,10,11,9,10.5,100
2024-01-02 10:01:00,10.5,11,10,10.8,90
2024-01-02 10:03:00,10.8,12,10.8,11.9,0
"""


def run(*arguments, **options):
    return subprocess.run([BARSWEEP, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


@pytest.fixture
def bars(tmp_path):
    path = tmp_path / "bars.csv"
    path.write_text(GOOD)
    return path


def test_ingest_and_info_say_the_same_of_a_good_file(bars, tmp_path):
    store = tmp_path / "bars.h5"
    ingest = run("ingest", bars, "--out", store, "--json")
    assert (ingest.returncode, ingest.stderr) == (0, "")
    info = run("info", store, "--verify", "--json")
    assert info.returncode == 0
    assert json.loads(info.stdout) == json.loads(ingest.stdout)
    said = json.loads(info.stdout)
    assert said["symbol"] == "bars"
    assert said["bars"] == 3
    assert said["first"] == {"iso8601": "2024-01-02T10:00:00Z", "ns": 1704189600000000000}
    assert said["last"] == {"iso8601": "2024-01-02T10:03:00Z", "ns": 1704189780000000000}
    assert said["price_decimals"] == 1
    assert said["interval_ns"] == 60_000_000_000
    assert (said["gaps"], said["missing_bars"], said["duplicates"]) == (1, 1, 0)
    assert said["findings"]["zero_volume"] == {"count": 1, "first": [{"line": 4, "column": "volume", "what": "no volume"}]}
    assert len(said["canonical_sha256"]) == 64
    assert said["ppy"] == pytest.approx(2 * 365.25 * 86400 / 180, rel=1e-12)


def test_text_names_bars_span_gaps_and_findings(bars, tmp_path):
    run("ingest", bars, "--out", tmp_path / "bars.h5")
    said = run("info", tmp_path / "bars.h5").stdout
    for line in ("bars              3", "span              2024-01-02T10:00:00Z to 2024-01-02T10:03:00Z",
                 "gaps              1 (1 bars missing)", "found             1 zero_volume"):
        assert line in said


def test_a_bad_cell_is_refused_by_file_line_and_column(bars, tmp_path):
    bars.write_text(GOOD.replace("10.8,90", "nan,90"))
    refused = run("ingest", bars, "--out", tmp_path / "bars.h5")
    assert refused.returncode == 3
    assert refused.stdout == ""
    assert refused.stderr == (f"barsweep: {bars}:3, column close: expected a price, found 'nan'. "
                              "To fix: correct the row or take it out.\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bars.csv"]


def test_a_refused_import_leaves_the_old_store(bars, tmp_path):
    store = tmp_path / "bars.h5"
    run("ingest", bars, "--out", store)
    before = store.read_bytes()
    bars.write_text(GOOD.replace("10:03", "10:01"))
    assert run("ingest", bars, "--out", store).returncode == 3
    assert store.read_bytes() == before


def test_another_file_is_not_overwritten(bars, tmp_path):
    refused = run("ingest", bars, "--out", bars)
    assert refused.returncode == 3
    assert bars.read_text() == GOOD


def test_the_hosts_time_zone_changes_nothing(bars, tmp_path):
    sums = {run("ingest", bars, "--out", tmp_path / "bars.h5", "--json", env={**os.environ, "TZ": zone}).stdout
            for zone in ("UTC", "America/New_York", "Asia/Tokyo")}
    assert len(sums) == 1


def test_a_fixed_zone_is_taken_off_naive_times(bars, tmp_path):
    said = json.loads(run("ingest", bars, "--out", tmp_path / "bars.h5", "--timezone", "UTC-5", "--json").stdout)
    assert said["first"]["iso8601"] == "2024-01-02T15:00:00Z"


@pytest.mark.parametrize("arguments, said", [
    (["--timezone", "Europe/Berlin"], "--timezone: expected UTC or a fixed offset from it such as UTC-5 or +02:00, found 'Europe/Berlin'"),
    (["--format", "databento"], "--format: expected one of auto, csv, binance, bitfinex, found 'databento'"),
    (["--duplicates", "any"], "--duplicates: expected one of error, first, last, found 'any'"),
    (["--gaps", "skip"], "--gaps: expected one of report, fill, error, found 'skip'"),
    (["--decimals", "10"], "--decimals: expected 0 to 9, found 10"),
    (["--max-jump", "0"], "--max-jump: expected a fraction above 0, found 0"),
    (["--columns", "time,open"], "--columns: expected a column of high, found 'time,open'"),
    (["--sybol", "X"], "command line: expected a known option, found '--sybol'. To fix: write --symbol, the nearest there is."),
    (["--sym", "X"], "found '--sym'. To fix: write --symbol"),
])
def test_a_wrong_option_is_usage(bars, tmp_path, arguments, said):
    refused = run("ingest", bars, "--out", tmp_path / "bars.h5", *arguments)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert not (tmp_path / "bars.h5").exists()


def test_no_file_and_no_out_are_usage(tmp_path):
    assert run("ingest", "--out", tmp_path / "bars.h5").returncode == 2
    assert run("ingest", tmp_path / "bars.csv").returncode == 2
    assert run("info").returncode == 2
    assert "expected one bar store, found 'b.h5' after 'a.h5'" in run("info", "a.h5", "b.h5").stderr


def test_a_folder_that_is_not_there_is_the_machines_fault(bars, tmp_path):
    refused = run("ingest", bars, "--out", tmp_path / "none" / "bars.h5")
    assert refused.returncode == 5
    assert "expected a place that can be written, found No such file or directory" in refused.stderr


def test_help_shows_defaults_and_units():
    for command, words in (("ingest", ["(=report)", "(=UTC)", "0 to 9", "(=0.5)"]), ("info", ["--verify"])):
        helped = run(command, "--help")
        assert helped.returncode == 0
        for word in words:
            assert word in helped.stdout


def test_verify_finds_a_changed_byte(bars, tmp_path):
    store = tmp_path / "bars.h5"
    run("ingest", bars, "--out", store)
    changed = bytearray(store.read_bytes())
    at = changed.rindex((1704189660000000000).to_bytes(8, "little"))
    changed[at] ^= 1
    store.write_bytes(changed)
    refused = run("info", store, "--verify")
    assert refused.returncode == 3
    assert f"{store}:/bars/time: expected crc32c" in refused.stderr


@pytest.mark.skipif(not (SHARED / "cases/D03").exists(), reason="BARSWEEP_SHARED with cases/D03 is not here")
@pytest.mark.parametrize("name", ["nan_close", "blank_open", "zero_low", "inf_high", "two_dots", "short_row",
                                  "high_below_low", "neg_volume", "header_only", "empty"])
def test_case_d03_leaves_no_store(tmp_path, name):
    refused = run("ingest", SHARED / f"cases/D03/{name}.csv", "--out", tmp_path / "bars.h5")
    assert refused.returncode == 3
    assert f"{name}.csv" in refused.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not (SHARED / "reference/strategies").exists(), reason="BARSWEEP_SHARED with reference/ is not here")
def test_the_reference_year_has_its_sum(tmp_path):
    said = run("ingest", SHARED / "bars/bitfinex_zombie3000/BTCUSD/Candles_1m/2015/merged.csv.gz", "--format",
               "bitfinex", "--symbol", "BTCUSD", "--out", tmp_path / "bars.h5", "--json")
    reference = json.loads(next((SHARED / "reference/strategies").glob("S1_*/reference.json")).read_text())
    assert json.loads(said.stdout)["bars"] == reference["bars"]
    assert json.loads(said.stdout)["canonical_sha256"] == reference["canonical_sha256"]


@pytest.mark.parametrize("blocks", [0, 8, 100])
def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path, blocks):
    """The file-size limit (in blocks of 1 KiB) stands in for a full disk; HDF5 must not crash on it at exit."""
    out = tmp_path / "out"
    out.mkdir()
    bars = tmp_path / "bars.csv"
    assert run("synth", "--bars", 5000, "--out", bars).returncode == 0
    refused = run("ingest", bars, "--out", out / "bars.h5",
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024 * blocks, 1024 * blocks)))
    assert refused.returncode == 5
    assert "bars.h5: expected a place that can be written, found" in refused.stderr
    assert not list(out.iterdir())
