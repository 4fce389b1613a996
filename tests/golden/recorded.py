"""What the program makes of made-up bars, as it was recorded: a change of meaning shows here, wherever it was made.
`python recorded.py` records it anew, on purpose (scripts/regenerate_golden); nothing else writes these files."""
import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from helpers import ledger, run  # noqa: E402


def make(folder):
    """File name -> text, of every recording."""
    csv, store = folder / "bars.csv", folder / "bars.h5"
    run("synth", "--kind", "ou", "--bars", 4000, "--seed", 5, "--out", csv)
    run("ingest", csv, "--out", store, "--symbol", "GOLDEN")
    fills = folder / "fills.csv"
    backtest = run("backtest", store, "--rule", "sma:5:20", "--account.unit", 10, "--account.spread", "0.02",
                   "--fills", fills, "--json").stdout
    run("sweep", HERE / "rules.ini", "--data", store, "--out", folder / "study")
    return {
        "bars.csv.sha256": json.loads(run("info", store, "--json").stdout)["canonical_sha256"] + "\n",
        "backtest.json": backtest,
        "fills.csv": fills.read_text(),
        "rules.jsonl": "".join(json.dumps(record) + "\n" for record in ledger(folder / "study")),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        for name, text in make(pathlib.Path(made)).items():
            (HERE / name).write_text(text)
