"""jobs/sma_minute.ini on the year of minutes that it is for: 200 trials over 366,710 real bars."""
import csv
import json

import pytest
from helpers import ROOT, ledger, run, shared

JOB = ROOT / "jobs/sma_minute.ini"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    bars = shared("bars/bitfinex_zombie3000/BTCUSD/Candles_1m/2015/merged.csv.gz")
    path = tmp_path_factory.mktemp("bars") / "btc.h5"
    run("ingest", bars, "--symbol", "BTCUSD", "--out", path)
    return path


@pytest.fixture(scope="module")
def alone(store, tmp_path_factory):
    """One rank, one thread: what every other run is held to."""
    folder = tmp_path_factory.mktemp("alone")
    done = run("sweep", JOB, "--data", store, "--out", folder / "study", "--csv", folder / "trials.csv", "--json",
               env={"BARSWEEP_THREADS": "1"})
    return folder, json.loads(done.stdout)


@pytest.mark.parametrize("ranks,threads", [(1, 2), (2, 1), (4, 1)])
def test_gives_the_same_ledger_on_any_number_of_ranks_and_threads(alone, store, tmp_path, ranks, threads):
    run("sweep", JOB, "--data", store, "--out", tmp_path / "study", ranks=ranks, env={"BARSWEEP_THREADS": str(threads)})
    assert ledger(tmp_path / "study") == ledger(alone[0] / "study")


def test_halving_cuts_most_trials_after_a_short_stretch(alone):
    folder, told = alone
    assert sum(told["trials"].values()) == 200 and told["trials"]["running"] == 0
    trials = list(csv.DictReader((folder / "trials.csv").open()))
    assert len(trials) == 200
    reached = {bars: sum(t["bars"] == bars for t in trials) for bars in ("10000", "40000", "160000", "220000")}
    assert reached["10000"] > reached["40000"] > reached["160000"]
    complete = [t for t in trials if t["state"] == "complete"]
    assert len(complete) == told["trials"]["complete"] and all(t["bars"] == "220000" for t in complete)
    best = max(complete, key=lambda t: float(t["value"]))
    assert int(best["trial"]) == told["best"]["trial"] and float(best["value"]) == told["best"]["score"]


def test_the_median_cuts_too(store, tmp_path):
    told = json.loads(run("sweep", JOB, "--data", store, "--out", tmp_path / "study", "--search.pruner", "median",
                          "--study.trials", "60", "--json").stdout)
    assert told["trials"]["pruned"] > 10 and told["trials"]["complete"] > 0


def test_a_grid_is_swept_point_by_point(store, tmp_path):
    job = tmp_path / "grid.ini"
    job.write_text("[rungs]\nbars = 10000 220000\n[search]\nsampler = grid\n"
                   "[space]\nagent.fast = choice 20 50\nagent.slow = int 200 600 step 200\n")
    told = json.loads(run("sweep", job, "--data", store, "--out", tmp_path / "study", "--json").stdout)
    assert sum(told["trials"].values()) == 6
