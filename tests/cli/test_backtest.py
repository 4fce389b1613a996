"""barsweep backtest: hand-worked runs, the faults of cases D05 to D08 and D13, and two real markets exactly."""
import csv
import json

import pytest

from helpers import run, shared

HEADER = "timestamp,open,high,low,close,volume\n"
EXACT = ("--account.barrier", "off", "--account.ruin", "0")


def store_of(folder, text):
    bars, store = folder / "bars.csv", folder / "bars.h5"
    bars.write_text(text)
    run("ingest", bars, "--out", store, "--symbol", "X", "--max-jump", 1e6)
    return store


def minutes(*rows):
    """Bars from `open high low close` texts, a minute apart."""
    lines = [f"2024-01-02 10:{i:02}:00,{row.replace(' ', ',')},10" for i, row in enumerate(rows)]
    return HEADER + "\n".join(lines) + "\n"


def backtest(folder, store, *options):
    """The JSON, and the fills as dictionaries."""
    fills = folder / "fills.csv"
    done = run("backtest", store, *options, *EXACT, "--fills", fills, "--json")
    return json.loads(done.stdout), list(csv.DictReader(fills.open()))


def actions_of(folder, column, *values):
    file = folder / "actions.csv"
    file.write_text(f"bar,{column}\n" + "".join(f"{bar},{v}\n" for bar, v in enumerate(values)))
    return file


def test_a_run_worked_by_hand(tmp_path):
    store = store_of(tmp_path, minutes("20 20 20 20", "21 25 21 24", "30 30 26 27", "26 26 26 26"))
    result, fills = backtest(tmp_path, store, "--actions", actions_of(tmp_path, "units", 0.5, -1.5, 0),
                             "--account.initial", 100, "--account.spread", 0.2, "--account.fee_bps", 100)
    # buy 0.5 at 21: 0.05 spread, 0.105 fee; sell 0.5 + 1.5 at 30: 0.2, 0.6; buy 1.5 at 26: 0.15, 0.39
    assert [(f["bar"], f["units"], f["open_price"], f["cost"]) for f in fills] == [
        ("1", "0.5", "21", "0.155"), ("2", "-2", "30", "0.8"), ("3", "1.5", "26", "0.54")]
    assert [f["cash_after"] for f in fills] == ["89.345", "148.545", "109.005"]
    assert [f["equity_at_close"] for f in fills] == ["101.345", "108.045", "109.005"]
    assert result["final_equity"] == "109.005" and result["costs_paid"] == "1.495"
    assert (result["fills"], result["trades"], result["open_lots"]) == (3, 2, 0)
    assert result["metrics"]["total_return"] == pytest.approx(0.09005, rel=1e-15)


def test_what_a_rule_asked_for_can_be_given_back_as_actions(tmp_path):
    closes = [100, 103, 101, 106, 110, 104, 99, 97, 99, 104, 108, 101]
    store = store_of(tmp_path, minutes(*(f"{c} {c} {c} {c}" for c in closes)))
    asked = tmp_path / "asked.csv"
    by_rule, fills = backtest(tmp_path, store, "--rule", "sma:2:4", "--account.unit", 1, "--actions-out", asked)
    again, same = backtest(tmp_path, store, "--actions", asked, "--account.unit", 1)
    assert len(fills) > 2 and fills == same and by_rule == again


CASES = {  # case: file of actions, initial, spread
    "D05": ("actions.csv", 1000, "0"),
    "D06": ("actions.csv", 1000, "0.2"),
    "D07": ("actions.csv", 1000, "0.2"),
    "D07 partial": ("partial_flip.csv", 1000, "0.2"),
}


def run_case(name, folder):
    case = name.split()[0]
    actions, initial, spread = CASES[name]
    bars = "flat.csv" if case == "D06" else "bars.csv"
    store = store_of(folder, shared(f"cases/{case}/{bars}").read_text())
    expected = json.loads(shared(f"cases/{case}/case.json").read_text())["expected"]
    result, fills = backtest(folder, store, "--actions", shared(f"cases/{case}/{actions}"),
                             "--account.initial", initial, "--account.spread", spread)
    return expected, result, fills


def test_D05_a_decision_is_never_filled_inside_the_bar_it_was_made_with(tmp_path):
    expected, result, fills = run_case("D05", tmp_path)
    assert float(result["final_equity"]) == expected["final_equity"]
    assert [{"bar": int(f["bar"]), "units": int(f["units"]), "price": int(f["open_price"])} for f in fills] == expected["fills"]


def test_D06_in_a_flat_market_all_that_is_left_is_the_cost(tmp_path):
    expected, result, _ = run_case("D06", tmp_path)
    assert float(result["final_equity"]) == float(expected["final_equity"])


def test_D06_a_fee_is_of_the_notional_of_each_side(tmp_path):
    store = store_of(tmp_path, minutes("0.3120 0.3120 0.3120 0.3120", "0.3120 0.3120 0.3120 0.3120",
                                       "0.3145 0.3145 0.3145 0.3145"))
    result, _ = backtest(tmp_path, store, "--actions", actions_of(tmp_path, "units", 2000, 0),
                         "--account.initial", 1000, "--account.fee_bps", 40)
    assert (result["costs_paid"], result["final_equity"]) == ("5.012", "999.988")


def test_D07_a_flip_closes_one_trip_and_opens_another(tmp_path):
    expected, result, fills = run_case("D07", tmp_path)
    expected = expected["actions"]
    assert [f["cash_after"] for f in fills] == expected["cash_after"]
    assert (result["fills"], result["trades"]) == (expected["fills"], len(expected["round_trips"]))
    assert result["final_equity"] == expected["equity_at_close"][-1]


def test_D07_a_flip_to_another_size_pays_for_all_its_units(tmp_path):
    expected, result, fills = run_case("D07 partial", tmp_path)
    assert [f["cash_after"] for f in fills] == expected["partial_flip"]["cash_after"]
    assert result["trades"] == 2 and result["wins"] == 0


def test_D08_without_variance_there_is_no_sharpe_and_no_nan_in_the_json(tmp_path):
    store = store_of(tmp_path, minutes(*["5 5 5 5"] * 6))
    result, _ = backtest(tmp_path, store, "--rule", "sma:1:2")
    assert result["metrics"]["sharpe"] is None and "do not vary" in result["reasons"]["sharpe"]
    one_bar = store_of(tmp_path, minutes("5 5 5 5"))
    result, _ = backtest(tmp_path, one_bar, "--rule", "sma:1:2")
    assert result["metrics"]["sharpe"] is None and result["ppy"] is None


def test_D08_the_sharpe_of_a_varying_curve_is_theirs(tmp_path):
    equity = [r["equity"] for r in csv.DictReader(shared("cases/D08/equity_normal.csv").open())]
    normal = json.loads(shared("cases/D08/case.json").read_text())["expected"]["normal"]
    store = store_of(tmp_path, minutes(*(f"{a} {max(a, b)} {min(a, b)} {b}" for a, b in
                                         zip([equity[0], *equity], equity))))
    result, _ = backtest(tmp_path, store, "--actions", actions_of(tmp_path, "units", 1, 1, 1),
                         "--account.initial", 1000, "--data.ppy", 252)
    assert result["metrics"]["sharpe"] == pytest.approx(normal["sharpe_252"], rel=1e-12)


@pytest.mark.parametrize("lot_decimals, units, cash", [(0, "90", "1022.5"), (10, "90.2255639097", None)])
def test_D13_the_reserve_and_the_cost_of_the_fill_stay_in_cash(tmp_path, lot_decimals, units, cash):
    store = store_of(tmp_path, minutes(*["99.70 99.70 99.70 99.70"] * 3))
    _, fills = backtest(tmp_path, store, "--actions", actions_of(tmp_path, "level", 1, 1), "--account.spread", 0.1,
                        "--account.cash_reserve", 0.1, "--account.lot_decimals", lot_decimals)
    assert len(fills) == 1 and fills[0]["units"] == units
    assert fills[0]["cash_after"] == cash or 1000 <= float(fills[0]["cash_after"]) < 1000.0001


MARKETS = {
    "S1_btcusd_2015_1m": ("bars/bitfinex_zombie3000/BTCUSD/Candles_1m/2015/merged.csv.gz", "bitfinex", 1, "0.1"),
    "S2_usdjpy_bid_201302_1m": ("bars/nautilus/tests/test_data/fxcm/usdjpy-m1-bid-2013.csv", "auto", 10000, "0.003"),
}


@pytest.fixture(scope="module", params=MARKETS)
def market(request, tmp_path_factory):
    """Name, store and account options of one of the reference strategies."""
    path, form, unit, spread = MARKETS[request.param]
    store = tmp_path_factory.mktemp("market") / "bars.h5"
    run("ingest", shared(path), "--out", store, "--format", form, "--symbol", "X")
    return request.param, store, ("--account.unit", unit, "--account.spread", spread)


@pytest.mark.parametrize("side, rule", [("LS", "sma:20:50"), ("LF", "sma:20:50:long_flat")])
def test_a_real_market_gives_the_references_fills_and_equity_exactly(tmp_path, market, side, rule):
    name, store, account = market
    reference = json.loads(shared(f"reference/strategies/{name}/reference.json").read_text())
    fixed = reference[f"fixed_{side}"]
    options = (*account, "--account.initial", reference["initial"], "--data.ppy", fixed["periods_nominal"])
    result, _ = backtest(tmp_path, store, "--rule", rule, *options)

    theirs = shared(f"reference/strategies/{name}/fills_{side}.csv").read_text()
    assert (tmp_path / "fills.csv").read_text() == theirs
    assert result["final_equity"] == fixed["final_equity_marked"] and result["costs_paid"] == fixed["total_cost"]
    assert (result["fills"], result["trades"], result["wins"], result["losses"], result["bars_in_market"]) == tuple(
        fixed[key] for key in ("fills", "closed_round_trips", "winning", "losing", "bars_in_market"))
    metrics = result["metrics"]
    assert metrics["max_drawdown"] == pytest.approx(fixed["max_drawdown"], rel=1e-12)
    assert metrics["sharpe"] == pytest.approx(fixed["sharpe_annual_nominal"], rel=1e-9)
    assert metrics["sortino"] == pytest.approx(fixed["sortino_annual_nominal"], rel=1e-9)
    assert metrics["profit_factor"] == pytest.approx(fixed["profit_factor"], rel=1e-12)
    measured = json.loads(run("backtest", store, "--rule", rule, *account, "--account.initial", reference["initial"],
                              *EXACT, "--json").stdout)
    assert measured["ppy"] == pytest.approx(fixed["periods_empirical"], rel=1e-9)
    assert measured["metrics"]["sharpe"] == pytest.approx(fixed["sharpe_annual_empirical"], rel=1e-9)


def test_the_references_targets_as_actions_give_its_equity(market):
    name, store, account = market
    reference = json.loads(shared(f"reference/strategies/{name}/reference.json").read_text())
    targets = shared(f"reference/strategies/{name}/targets.csv.gz")
    for side in ("LS", "LF"):
        done = run("backtest", store, "--actions", targets, "--column", f"target_{side}", *account, *EXACT,
                   "--account.initial", reference["initial"], "--json")
        assert json.loads(done.stdout)["final_equity"] == reference[f"fixed_{side}"]["final_equity_marked"]


@pytest.fixture
def store(tmp_path):
    return store_of(tmp_path, minutes(*["5 5 5 5"] * 6))


@pytest.mark.parametrize("options, exit_code, sentence", [
    ((), 2, "command line: expected one of --rule, --actions and --model, found none."),
    (("--rule", "sma:50:20"), 2, "1 <= FAST < SLOW <= 1000000, found 'sma:50:20'. To fix: write for example --rule sma:20:50."),
    (("--rule", "sma:2:4:short"), 2, "found 'sma:2:4:short'"),
    (("--rule", "sma:2:4", "--account.sprad", "1"), 2, "write --account.spread, the nearest there is"),
    (("--rule", "sma:2:4", "--account.hold", "none"), 3, "expected account.hold as a whole number from 1"),
    (("--rule", "sma:2:4", "--data.ppy", "0"), 2, "expected data.ppy as a number above 0, found '0'"),
    (("--actions", "nowhere.csv"), 3, "nowhere.csv"),
])
def test_a_fault_is_one_sentence(store, options, exit_code, sentence):
    assert sentence in run("backtest", store, *options, expect=exit_code).stderr


def test_money_that_leaves_int64_is_a_sentence_and_no_result(tmp_path):
    store = store_of(tmp_path, minutes("1 1 1 1", "1 1 1 1", "9000000 9000000 9000000 9000000"))
    done = run("backtest", store, "--actions", actions_of(tmp_path, "level", 1, 1), *EXACT, "--account.initial", 9000,
               "--account.lot_decimals", 12, "--json", expect=3)
    assert "overflow at bar 2" in done.stderr and done.stdout == ""


def test_help_shows_defaults_and_units():
    text = run("backtest", "--help").stdout
    assert "--account.spread" in text and "price units" in text and "[next_open]" in text
